import type { Bounds } from './value-bounds.ts';

/** Functions that compare each element of one argument with each element of another. */
const comparing = names(`
  levenshteindistance levenshteindistanceutf8 editdistance editdistanceutf8 dameraulevenshteindistance jarosimilarity
  jarowinklersimilarity arraylevenshteindistance arraylevenshteindistanceweighted arraysimilarity position positionutf8
  positioncaseinsensitive positioncaseinsensitiveutf8 locate instr countsubstrings countsubstringscaseinsensitive
  countsubstringscaseinsensitiveutf8 replace replaceall replaceone splitbystring hassubstr hasall hasany
  multisearchallpositions multisearchallpositionsutf8 multisearchallpositionscaseinsensitive
  multisearchallpositionscaseinsensitiveutf8 multisearchany multisearchanyutf8 multisearchanycaseinsensitive
  multisearchanycaseinsensitiveutf8 multisearchfirstindex multisearchfirstindexutf8
  multisearchfirstindexcaseinsensitive multisearchfirstindexcaseinsensitiveutf8 multisearchfirstposition
  multisearchfirstpositionutf8 multisearchfirstpositioncaseinsensitive multisearchfirstpositioncaseinsensitiveutf8
  cuturlparameter trim trimboth trimleft trimright ltrim rtrim substringindex substringindexutf8 substring_index hasphrase matchphrase
  hassubsequence hassubsequenceutf8 hassubsequencecaseinsensitive hassubsequencecaseinsensitiveutf8 has indexof
  countequal multifuzzymatchany multifuzzymatchanyindex multifuzzymatchallindices geometryintersectcartesian
  geometryintersectspherical polygonsintersectcartesian polygonsintersectspherical pointinpolygon`);

/** Functions that compare each element of their arguments with each other element. */
const comparingElements = names('jsonmergepatch json_merge_patch prettyprintjson arrayautocorrelation');

/** Functions that read a JSON text from its beginning for each element. */
const walking =
  /^(json_query|jsonextract(caseinsensitive)?|jsonextract(keysandvalues|keysandvaluesraw|arrayraw|keys)(caseinsensitive)?)$/;

/** Functions whose cost is not a sum of the sizes of their arguments and result. */
const reading = new RegExp(`${walking.source}|^(replaceregexp|regexp_replace)`);

/** Functions that build a hash table of their elements, or sort them. */
const remembering = names(`
  arraydistinct arrayuniq arrayunion arrayintersect arraysymmetricdifference arrayexcept arrayenumerateuniq
  arrayenumeratedense arrayenumerateuniqranked arrayenumeratedenseranked arrayjaccardindex arrayremove array_remove
  arraysort arrayreversesort arraypartialsort arraypartialreversesort arraytopk arraybottomk arrayrocauc arrayauc
  arrayprauc arrayaucpr arraynormalizedgini mapsort mapreversesort mappartialsort mappartialreversesort mapadd
  mapsubtract mapupdate mapconcat bitmapbuild arrayreduce arrayreduceinranges initializeaggregation`);

/**
 * Functions that create as many elements as the value of an argument. Writing them into the answer is part of the cost.
 */
const making = names(`
  range arraywithconstant arrayresize timeslots mappopulateseries randomstring randomstringutf8 randomprintableascii
  randomfixedstring`);

/** Functions that read the pattern of a time, once for all rows. */
const patterned =
  /^(formatdatetime|date_format|parsedatetime(?!32|\w*besteffort)|str_to_date|fromunixtimestamp(?!64)|from_unixtime)/;

/** Functions that compute a digest or a text, or run an automaton. */
const digesting = names(`
  md4 md5 sha1 sha224 sha256 sha384 sha512 sha512_256 keccak256 ripemd160 siphash64 siphash128 siphash64keyed
  siphash128keyed ngramsimhash ngramminhash wordshinglesimhash wordshingleminhash tostring formatrow formatrownonewline
  tojsonstring sparsegrams sparsegramshashes sparsegramsutf8 sparsegramshashesutf8 ngrams stringjaccardindex
  stringjaccardindexutf8 ngramdistance ngramsearch multimatchany multimatchanyindex multimatchallindices
  replaceregexpall replaceregexpone regexp_replace extractall extractallgroups extractallgroupshorizontal
  extractallgroupsvertical match splitbyregexp countmatches`);

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

const comparingWeights: Readonly<Record<string, number>> = { arraysimilarity: 10, multifuzzymatchany: 10 };
/** Characters for each step, because an element is read quickly. */
const walkingStep = 8;
const rememberingWeight = 60;
const digestingWeight = 10;
const makingWeight = 16;
/** An element of the pattern of a time is an object with a function. */
const patternWeight = 500;
/** It tries again for each word that it must not contain. */
const sqidWeight = 20_000;
/** The state of an aggregate function: `approx_top_k` has the largest one. */
const stateWeight = 1_600;
/** A step of a fold copies the accumulated value, and creates columns of one row for all values in its lambda. */
const foldWeight = 600;
const rowWeight = 16;
const groupWeight = 30;
const ringWeight = 100;
const polygonWeight = 1000;

/**
 * The cost of a function for one set of arguments, in units of about 2.5 ns. The weights were measured with the
 * embedded engine on one core.
 */
export function ownCost(name: string, given: readonly Bounds[], result: Bounds): number {
  const sizes = given.map(({ size }) => size).toSorted((a, b) => b - a);
  const total = sizes.reduce((sum, size) => sum + size, 0) + result.size;
  if (comparing.has(name)) return total + (sizes[0] ?? 1) * (sizes[1] ?? 1) * (comparingWeights[name] ?? 1);
  if (comparingElements.has(name)) return total ** 2;
  if (remembering.has(name)) return total * rememberingWeight;
  if (reading.test(name)) return readingCost(name, total - result.size, result.size);
  if (digesting.has(name)) return total * digestingWeight;
  if (making.has(name)) return total * makingWeight;
  if (/^sqid(?!decode)/.test(name)) return total + sqidWeight;
  if (name === 'arrayfold') return total * foldWeight;
  if (name === 'arrayjoin') return total * rowWeight;
  // Around a pentagon, the function searches for each cell in all others.
  if (/^h3(k|hex)ring$/.test(name)) return total * ringWeight + result.size ** 2;
  if (name.startsWith('h3polygontocells')) return total * polygonWeight;
  if (/^(h3|geohash)/.test(name)) return total * digestingWeight;
  return total;
}

function readingCost(name: string, given: number, made: number): number {
  return walking.test(name) ? given + (given / walkingStep) ** 2 : given * digestingWeight + made;
}

/** The cost of a function before the first row. */
export function preparingCost(name: string, given: readonly Bounds[]): number {
  const size = given.slice(1).reduce((sum, each) => sum + each.size, 0);
  return patterned.test(name) ? size * patternWeight : 0;
}

/** The cost of the states of an aggregate function: the combinator `Resample` has one for each step of its interval. */
export function stateCost(name: string, parameters: readonly (number | null)[]): number {
  if (!name.includes('resample')) return stateWeight;
  const [from, to, step] = parameters.slice(-3).map((each) => each ?? Number.POSITIVE_INFINITY);
  const states = Math.abs((to ?? 0) - (from ?? 0)) / Math.max(1, step ?? 1);
  return (Number.isNaN(states) ? Number.POSITIVE_INFINITY : states) * stateWeight;
}

/** A group is merged into each set of keys that contains it: 2 ** n of n keys. */
export function cubeCost(keys: number): number {
  return 2 ** keys * groupWeight;
}

/** The cost of one row for an aggregate function. */
export function rowCost(name: string, size: number): number {
  return /^(group|uniq|topk|sum|quantile|min|max).*(array|map)|^(summap|minmap|maxmap|sumarray)/.test(name)
    ? size * rememberingWeight
    : size;
}
