CREATE TABLE public.budgets (
    purse text NOT NULL,
    used integer NOT NULL
);
CREATE TABLE public.chain_groups (
    chain_group text NOT NULL,
    block bigint NOT NULL,
    hash text NOT NULL,
    leaves text NOT NULL
);
CREATE TABLE public.chain_surveys (
    chain bigint NOT NULL,
    survey text NOT NULL,
    closed integer NOT NULL
);
CREATE TABLE public.members (
    group_id integer NOT NULL,
    "position" integer NOT NULL,
    commitment text NOT NULL
);
CREATE TABLE public.participants (
    survey text NOT NULL,
    person text NOT NULL,
    claim text,
    owner text
);
CREATE TABLE public.payments (
    id text NOT NULL,
    status text NOT NULL,
    verified integer NOT NULL,
    updated bigint NOT NULL,
    claimed text,
    buyer text
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.settings (
    name text NOT NULL,
    value text NOT NULL
);
CREATE TABLE public.surveys (
    group_id integer NOT NULL,
    address text NOT NULL,
    frontier text NOT NULL,
    closed integer DEFAULT 0 NOT NULL
);
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
    reason text
);
INSERT INTO public.budgets VALUES ('survey 0x00000000000000000000000000000000c0ffee01', 2);
INSERT INTO public.budgets VALUES ('QVPkQlvCtZ_GTL1B32Z4VdKq_qXX10nKOCtjNcdIcS0', 2);
INSERT INTO public.chain_surveys VALUES (1001, '0x00000000000000000000000000000000c0ffee01', 1);
INSERT INTO public.members VALUES (0, 0, '11');
INSERT INTO public.members VALUES (0, 1, '12');
INSERT INTO public.members VALUES (0, 2, '13');
INSERT INTO public.members VALUES (0, 3, '14');
INSERT INTO public.members VALUES (1, 0, '21');
INSERT INTO public.participants VALUES ('0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', 'kpTcM8KC979GpV8FRE1jWw48TRnC-sBgKRsZpa1q0Zs', NULL, NULL);
INSERT INTO public.participants VALUES ('0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', 'yv2PtotcX-YUHNhu-_JT7WmUO7aSDxh1i8LbKlYDQng', NULL, NULL);
INSERT INTO public.participants VALUES ('0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', 'GuXHlP8YzZYwPvzsaZ_cx3VSE1CSqWSdYip8sjCP-DU', NULL, NULL);
INSERT INTO public.participants VALUES ('0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', 'MLco0rA_L38Dlx2dQ37fFiT8AArJ7PcJzxu9-ybVOpg', 'TLj4B9-xmh2imfi9aj6H3rHcxrWC4VTgB0w1gBrXcT8', NULL);
INSERT INTO public.participants VALUES ('0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', 'l3CUg-zj26eLLUPj-1GNRhAhwnJCJZrcd-Ud37vMrVs', 'KLAqIOvVwDfSLJ29WiKopwYwjfzfncZVM-U7OTmMfao', NULL);
INSERT INTO public.payments VALUES ('pay_1', 'CREATED', 1, 1700000000000, NULL, 'm4i0AOmVpzwtN8EFoA-5oVQX_NmOO0QehjfgbZUeCag');
INSERT INTO public.payments VALUES ('pay_2', 'FINALIZED', 1, 1700000001000, NULL, 'm4i0AOmVpzwtN8EFoA-5oVQX_NmOO0QehjfgbZUeCag');
INSERT INTO public.payments VALUES ('pay_3', 'STARTED', 1, 1700000002000, 'CONFIRMED', NULL);
INSERT INTO public.schema_version VALUES (5);
INSERT INTO public.settings VALUES ('secret', '6Pmsx2SYwCimYWLtyeZZem9fV8UER8i-Cp1qrrOmvEY');
INSERT INTO public.surveys VALUES (0, '0x6b6664134a7bf5A4519B95bC2331bC8405633d4f', '{"size":4,"peaks":["20027660449153231762677415620792835053090736799417804881625049994677718386485"]}', 0);
INSERT INTO public.surveys VALUES (1, '0x0Bc34f96d8E99c6E2933e49e6f68DFB7B74b7aDB', '{"size":1,"peaks":["21"]}', 1);
INSERT INTO public.transactions VALUES ('t1', '0x2222222222222222222222222222222222222222', '0x00000000000000000000000000000000c0ffee01', '31', '0x00', 'queued', NULL, NULL, NULL, NULL);
ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_pkey1 PRIMARY KEY (purse);
ALTER TABLE ONLY public.chain_groups
    ADD CONSTRAINT chain_groups_pkey PRIMARY KEY (chain_group);
ALTER TABLE ONLY public.chain_surveys
    ADD CONSTRAINT chain_surveys_pkey PRIMARY KEY (chain, survey);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_group_id_commitment_key UNIQUE (group_id, commitment);
ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (group_id, "position");
ALTER TABLE ONLY public.participants
    ADD CONSTRAINT participants_pkey1 PRIMARY KEY (survey, person);
ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.surveys
    ADD CONSTRAINT surveys_address_key UNIQUE (address);
ALTER TABLE ONLY public.surveys
    ADD CONSTRAINT surveys_pkey PRIMARY KEY (group_id);
ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (id);
