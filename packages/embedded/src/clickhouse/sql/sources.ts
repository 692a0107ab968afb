import { is, nameOf, step, type Token } from './lexer.ts';

/** The engines of stored and temporary tables. They keep their own rows, and read nothing else. */
export const TABLE_ENGINES: readonly string[] = [
  'MergeTree',
  'ReplacingMergeTree',
  'SummingMergeTree',
  'AggregatingMergeTree',
  'CollapsingMergeTree',
  'VersionedCollapsingMergeTree',
  'CoalescingMergeTree',
  'GraphiteMergeTree',
  'Memory',
  'Log',
  'TinyLog',
  'StripeLog',
  'Null',
  'Set',
  'Join',
];

/** `Dictionary` shows dictionaries, which no client can create. */
export const DATABASE_ENGINES: readonly string[] = ['Atomic', 'Memory', 'Dictionary'];

/** Table functions that read nothing but their arguments. `merge()` and `file()` have checks of their own. */
export const TABLE_FUNCTIONS: readonly string[] = [
  'file',
  'format',
  'generateRandom',
  'generateSeries',
  'generate_series',
  'input',
  'merge',
  'null',
  'numbers',
  'numbers_mt',
  'primes',
  'SQLStandardValues',
  'values',
  'view',
  'zeros',
  'zeros_mt',
];

/** All other table functions of the engine. A test compares both lists with the engine. */
export const REFUSED_TABLE_FUNCTIONS: readonly string[] =
  `arrowstream azureBlobStorage azureBlobStorageCluster cluster clusterAllReplicas cosn deltaLake deltaLakeAzure
  deltaLakeAzureCluster deltaLakeCluster deltaLakeLocal deltaLakeS3 deltaLakeS3Cluster dictionary eval executable fileCluster
  filesystem fuzzJSON fuzzQuery gcs hdfs hdfsCluster hudi hudiCluster iceberg icebergAzure icebergAzureCluster icebergCluster
  icebergHDFS icebergHDFSCluster icebergLocal icebergLocalCluster icebergS3 icebergS3Cluster jdbc loop mergeTreeAnalyzeIndexes
  mergeTreeAnalyzeIndexesUUID mergeTreeIndex mergeTreeProjection mergeTreeTextIndex mongodb mysql odbc oss paimon paimonAzure
  paimonAzureCluster paimonCluster paimonHDFS paimonHDFSCluster paimonLocal paimonS3 paimonS3Cluster postgresql prometheusQuery
  prometheusQueryRange redis remote remoteSecure s3 s3Cluster sqlite timeSeriesData timeSeriesMetrics timeSeriesSamples
  timeSeriesSelector timeSeriesTags url urlCluster viewExplain viewIfPermitted ytsaurus`.split(/\s+/);

const inLowerCase = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.map((name) => name.toLowerCase()));

const ENGINES = inLowerCase([...TABLE_ENGINES, ...DATABASE_ENGINES]);
const REFUSED = inLowerCase(REFUSED_TABLE_FUNCTIONS);
const DEFINING = new Set(['CREATE', 'REPLACE', 'ATTACH']);
/** These follow a column called `engine`. No engine has such a name. */
const AFTER_A_COLUMN = new Set(
  'FROM AS AND OR XOR NOT IN IS LIKE ILIKE GLOBAL BETWEEN ASC DESC END THEN ELSE WHEN DIV MOD'.split(' '),
);

/** The clauses ENGINE of a statement that define a table or database with an engine which is not in the list. */
export function refusedEngine(found: readonly Token[]): string | undefined {
  const first = found[0]?.text.toUpperCase() ?? '';
  if (first === 'ALTER' && found.some((token, i) => is(token, 'MODIFY') && is(found[i + 1], 'ENGINE')))
    return 'MODIFY ENGINE';
  if (!DEFINING.has(first)) return undefined;
  let depth = 0;
  for (const [i, token] of found.entries()) {
    depth += step(token);
    const what = depth === 0 && is(token, 'ENGINE') ? engineAt(found, i + 1) : undefined;
    if (what !== undefined) return what;
  }
  return undefined;
}

function engineAt(found: readonly Token[], i: number): string | undefined {
  const isAssigned = found[i]?.text === '=';
  const token = isAssigned ? found[i + 1] : found[i];
  if (token?.text === '{') return 'An engine in a parameter';
  const engine = nameOf(token);
  if (token === undefined || engine === undefined || ENGINES.has(engine.toLowerCase())) return undefined;
  if (!isAssigned && token.kind === 'word' && AFTER_A_COLUMN.has(engine.toUpperCase())) return undefined;
  return `The engine ${engine}`;
}

/** A call of a table function that reads other tables, other servers or files. */
export function refusedTableFunction(found: readonly Token[], i: number): string | undefined {
  if (found[i + 1]?.text !== '(' || isNameOfTable(found, i)) return undefined;
  const called = nameOf(found[i]);
  return called !== undefined && REFUSED.has(called.toLowerCase()) ? `${called}()` : undefined;
}

const NAMING = new Set([...DEFINING, 'INSERT']);
/** `CREATE OR REPLACE TEMPORARY TABLE IF NOT EXISTS` */
const MOST_WORDS_BEFORE_A_NAME = 8;

/** Whether a list of columns follows the name, as in `INSERT INTO url (a)`. */
function isNameOfTable(found: readonly Token[], i: number): boolean {
  const before = found[i - 1];
  if (before?.text === '.') return true;
  const first = found[0]?.text.toUpperCase() ?? '';
  if (!NAMING.has(first) || i > MOST_WORDS_BEFORE_A_NAME) return false;
  return is(before, 'INTO') || is(before, 'TABLE') || is(before, 'EXISTS');
}
