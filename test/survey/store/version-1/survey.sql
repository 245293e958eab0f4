--
-- PostgreSQL database dump
--



-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: allowed; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.allowed (
    survey text NOT NULL,
    person text NOT NULL
);


ALTER TABLE public.allowed OWNER TO survey;

--
-- Name: audit; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.audit (
    entry integer NOT NULL,
    at bigint NOT NULL,
    action text NOT NULL,
    survey text,
    actor text,
    detail text NOT NULL,
    persons text
);


ALTER TABLE public.audit OWNER TO survey;

--
-- Name: budgets; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.budgets (
    purse text NOT NULL,
    used integer NOT NULL
);


ALTER TABLE public.budgets OWNER TO survey;

--
-- Name: chain_groups; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.chain_groups (
    chain_group text NOT NULL,
    block bigint NOT NULL,
    hash text NOT NULL,
    leaves text NOT NULL
);


ALTER TABLE public.chain_groups OWNER TO survey;

--
-- Name: chain_surveys; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.chain_surveys (
    chain bigint NOT NULL,
    survey text NOT NULL,
    closed integer NOT NULL
);


ALTER TABLE public.chain_surveys OWNER TO survey;

--
-- Name: forgotten; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.forgotten (
    survey text NOT NULL,
    person text NOT NULL
);


ALTER TABLE public.forgotten OWNER TO survey;

--
-- Name: join_counts; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.join_counts (
    survey text NOT NULL,
    hour integer NOT NULL,
    outcome text NOT NULL,
    count integer NOT NULL
);


ALTER TABLE public.join_counts OWNER TO survey;

--
-- Name: members; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.members (
    group_id integer NOT NULL,
    "position" integer NOT NULL,
    commitment text NOT NULL
);


ALTER TABLE public.members OWNER TO survey;

--
-- Name: participants; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.participants (
    survey text NOT NULL,
    person text NOT NULL,
    claim text,
    owner text
);


ALTER TABLE public.participants OWNER TO survey;

--
-- Name: payment_history; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.payment_history (
    payment text NOT NULL,
    status text NOT NULL,
    source text NOT NULL,
    at bigint NOT NULL
);


ALTER TABLE public.payment_history OWNER TO survey;

--
-- Name: payments; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.payments (
    id text NOT NULL,
    status text NOT NULL,
    problem text,
    claimed text,
    updated bigint NOT NULL,
    buyer text,
    item text NOT NULL,
    gateway text NOT NULL,
    currency text NOT NULL,
    price text NOT NULL,
    test integer NOT NULL
);


ALTER TABLE public.payments OWNER TO survey;

--
-- Name: policies; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.policies (
    survey text NOT NULL,
    one_per_user integer NOT NULL,
    scheme text NOT NULL,
    closes bigint,
    max_members integer,
    allowlist integer NOT NULL,
    chosen integer NOT NULL
);


ALTER TABLE public.policies OWNER TO survey;

--
-- Name: schema_version; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.schema_version (
    version integer NOT NULL
);


ALTER TABLE public.schema_version OWNER TO survey;

--
-- Name: settings; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.settings (
    name text NOT NULL,
    value text NOT NULL
);


ALTER TABLE public.settings OWNER TO survey;

--
-- Name: surveys; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.surveys (
    group_id integer NOT NULL,
    address text NOT NULL,
    frontier text NOT NULL,
    closed integer DEFAULT 0 NOT NULL
);


ALTER TABLE public.surveys OWNER TO survey;

--
-- Name: transactions; Type: TABLE; Schema: public; Owner: survey
--

CREATE TABLE public.transactions (
    id text NOT NULL,
    manager text NOT NULL,
    survey text NOT NULL,
    commitment text NOT NULL,
    call text NOT NULL,
    state text NOT NULL,
    nonce bigint,
    raw text,
    hash text,
    reason text,
    earlier text,
    sent bigint,
    mined bigint
);


ALTER TABLE public.transactions OWNER TO survey;

--
-- Data for Name: allowed; Type: TABLE DATA; Schema: public; Owner: survey
--



--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: survey
--



--
-- Data for Name: budgets; Type: TABLE DATA; Schema: public; Owner: survey
--

INSERT INTO public.budgets (purse, used) VALUES ('survey 0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', '1');
INSERT INTO public.budgets (purse, used) VALUES ('QVPkQlvCtZ_GTL1B32Z4VdKq_qXX10nKOCtjNcdIcS0', '1');


--
-- Data for Name: chain_groups; Type: TABLE DATA; Schema: public; Owner: survey
--



--
-- Data for Name: chain_surveys; Type: TABLE DATA; Schema: public; Owner: survey
--



--
-- Data for Name: forgotten; Type: TABLE DATA; Schema: public; Owner: survey
--

INSERT INTO public.forgotten (survey, person) VALUES ('0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', 'LzidJbwlVwY4t-jy1aiieD5N4_KiwdAig7etZUCm_eE');


--
-- Data for Name: join_counts; Type: TABLE DATA; Schema: public; Owner: survey
--



--
-- Data for Name: members; Type: TABLE DATA; Schema: public; Owner: survey
--

INSERT INTO public.members (group_id, "position", commitment) VALUES ('0', '0', '11');
INSERT INTO public.members (group_id, "position", commitment) VALUES ('0', '1', '12');
INSERT INTO public.members (group_id, "position", commitment) VALUES ('0', '2', '13');
INSERT INTO public.members (group_id, "position", commitment) VALUES ('1', '0', '21');


--
-- Data for Name: participants; Type: TABLE DATA; Schema: public; Owner: survey
--

INSERT INTO public.participants (survey, person, claim, owner) VALUES ('0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', 'kpTcM8KC979GpV8FRE1jWw48TRnC-sBgKRsZpa1q0Zs', NULL, NULL);
INSERT INTO public.participants (survey, person, claim, owner) VALUES ('0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', 'yv2PtotcX-YUHNhu-_JT7WmUO7aSDxh1i8LbKlYDQng', NULL, NULL);


--
-- Data for Name: payment_history; Type: TABLE DATA; Schema: public; Owner: survey
--

INSERT INTO public.payment_history (payment, status, source, at) VALUES ('pay_1', 'CHARGEBACK', 'callback', '17');


--
-- Data for Name: payments; Type: TABLE DATA; Schema: public; Owner: survey
--

INSERT INTO public.payments (id, status, problem, claimed, updated, buyer, item, gateway, currency, price, test) VALUES ('pay_1', 'FINALIZED', NULL, 'CHARGEBACK', '17', NULL, 'sticker', 'CRYPTO', 'KAIA', '1.5', '0');


--
-- Data for Name: policies; Type: TABLE DATA; Schema: public; Owner: survey
--



--
-- Data for Name: schema_version; Type: TABLE DATA; Schema: public; Owner: survey
--

INSERT INTO public.schema_version (version) VALUES ('1');


--
-- Data for Name: settings; Type: TABLE DATA; Schema: public; Owner: survey
--

INSERT INTO public.settings (name, value) VALUES ('secret', '6Pmsx2SYwCimYWLtyeZZem9fV8UER8i-Cp1qrrOmvEY');
INSERT INTO public.settings (name, value) VALUES ('store', '9745d025-75bb-46da-8cdb-7c5fdfd2cd5a');


--
-- Data for Name: surveys; Type: TABLE DATA; Schema: public; Owner: survey
--

INSERT INTO public.surveys (group_id, address, frontier, closed) VALUES ('0', '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', '{"size":3,"peaks":["8708413088200285770335199183230226775824477788340720243749955614798179028216","13"]}', '0');
INSERT INTO public.surveys (group_id, address, frontier, closed) VALUES ('1', '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB', '{"size":1,"peaks":["21"]}', '1');


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: survey
--



--
-- Name: allowed allowed_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.allowed
    ADD CONSTRAINT allowed_pkey PRIMARY KEY (survey, person);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (entry);


--
-- Name: budgets budgets_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_pkey PRIMARY KEY (purse);


--
-- Name: chain_groups chain_groups_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.chain_groups
    ADD CONSTRAINT chain_groups_pkey PRIMARY KEY (chain_group);


--
-- Name: chain_surveys chain_surveys_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.chain_surveys
    ADD CONSTRAINT chain_surveys_pkey PRIMARY KEY (chain, survey);


--
-- Name: forgotten forgotten_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.forgotten
    ADD CONSTRAINT forgotten_pkey PRIMARY KEY (survey, person);


--
-- Name: join_counts join_counts_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.join_counts
    ADD CONSTRAINT join_counts_pkey PRIMARY KEY (survey, hour, outcome);


--
-- Name: members members_group_id_commitment_key; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_group_id_commitment_key UNIQUE (group_id, commitment);


--
-- Name: members members_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (group_id, "position");


--
-- Name: participants participants_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.participants
    ADD CONSTRAINT participants_pkey PRIMARY KEY (survey, person);

ALTER TABLE public.participants CLUSTER ON participants_pkey;


--
-- Name: payment_history payment_history_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.payment_history
    ADD CONSTRAINT payment_history_pkey PRIMARY KEY (payment, status, source);


--
-- Name: payments payments_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);


--
-- Name: policies policies_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.policies
    ADD CONSTRAINT policies_pkey PRIMARY KEY (survey);


--
-- Name: settings settings_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);


--
-- Name: surveys surveys_address_key; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.surveys
    ADD CONSTRAINT surveys_address_key UNIQUE (address);


--
-- Name: surveys surveys_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.surveys
    ADD CONSTRAINT surveys_pkey PRIMARY KEY (group_id);


--
-- Name: transactions transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: survey
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (id);


--
-- Name: payments_updated; Type: INDEX; Schema: public; Owner: survey
--

CREATE INDEX payments_updated ON public.payments USING btree (updated, id);


--
-- PostgreSQL database dump complete
--



