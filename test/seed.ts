/** The seed of every random test: from KAIACTL_TEST_SEED, and printed, so that what failed can be run again. */
export const seed = Number(process.env.KAIACTL_TEST_SEED ?? 1);

process.stderr.write(`KAIACTL_TEST_SEED=${seed}\n`);
