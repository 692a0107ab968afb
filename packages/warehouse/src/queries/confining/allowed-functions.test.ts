import { expect, test } from 'vitest';
import { isAllowedFunction } from './allowed-functions.ts';

const physical = `
  lowCardinalityIndices lowCardinalityKeys JSONDynamicPaths JSONDynamicPathsWithTypes JSONSharedDataPaths
  JSONSharedDataPathsWithTypes isDynamicElementInSharedData distinctJSONPaths distinctJSONPathsAndTypes
  distinctDynamicTypes distinctDynamicTypesIf rowNumberInBlock rowNumberInAllBlocks blockNumber blockSize
  blockSerializedSize byteSize estimateCompressionRatio runningDifference runningDifferenceStartingWithFirstValue
  runningAccumulate neighbor isConstant toColumnTypeName dumpColumnStructure getTypeSerializationStreams
  getSubcolumn partitionId anyState sumState groupArrayIfState uniqStateOrNull formatRow formatRowNoNewline
  arrayShuffle arrayPartialShuffle generateUUIDv7 dateTimeToUUIDv7
  groupFormat nowInBlock indexHint filesystemAvailable hostName shardNum`
  .trim()
  .split(/\s+/);

// Invariant (Queries): No function of a customer's SQL shows how ClickHouse stores or splits rows, and
// rows of others in the same part change no answer
test.each(physical)(
  '%s() is refused, because it shows how ClickHouse stores or splits the rows of all projects',
  (name) => {
    expect(isAllowedFunction(name)).toBe(false);
  },
);

test.each(['format', 'anySimpleState', 'JSONAllPaths', 'dynamicType', 'lagInFrame', 'row_number'])(
  '%s() is allowed',
  (name) => {
    expect(isAllowedFunction(name)).toBe(true);
  },
);
