const count = 1_000;

/** The databases of ClickHouse that test files take theirs from: the engine has to know them when it starts. */
export const testDatabases: readonly string[] = Array.from({ length: count }, (_, n) => `test_${n}`);
