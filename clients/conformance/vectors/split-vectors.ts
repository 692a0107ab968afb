type Crc32 = (text: string) => number;

const key = 'ffeeddccbbaa99887766554433221100';
const header = '{"tickrate":1,"principal":"account:u-1","base":1763809200000}';

/** The text of a segment that was answered 413, and of the two that it becomes. */
export function splitVectors(crc32: Crc32) {
  const line = (json: string) => `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
  const segment = (from: number, to: number) => {
    const events = Array.from(
      { length: to - from },
      (_, at) => `{"eventType":"e","event":{"n":${from + at}}}`,
    );
    return [header, ...events].map(line).join('');
  };
  const name = (suffix: string) => `019aab3887800007-${key}${suffix}.seal`;
  const split = (suffix: string, from: number, to: number) => {
    const middle = from + Math.ceil((to - from) / 2);
    return {
      parent: { name: name(suffix), key: `${key}${suffix}`, text: segment(from, to) },
      children: [
        { name: name(`${suffix}.0`), key: `${key}${suffix}.0`, text: segment(from, middle) },
        { name: name(`${suffix}.1`), key: `${key}${suffix}.1`, text: segment(middle, to) },
      ],
    };
  };
  const lone = { parent: { name: name(''), key, text: segment(0, 1) }, children: [], lost: { rejected: 1 } };
  const recoveries = [
    { files: [name(''), name('.0')], kept: [name('')], note: 'killed after the first child was written' },
    {
      files: [name(''), name('.0'), name('.1')],
      kept: [name('')],
      note: 'killed before the parent was deleted',
    },
    { files: [name('.0'), name('.1')], kept: [name('.0'), name('.1')], note: 'the split is complete' },
    { files: [name('.1')], kept: [name('.1')], note: 'the first child was sent' },
    {
      files: [name('.0'), name('.0.0'), name('.1')],
      kept: [name('.0'), name('.1')],
      note: 'killed in a second split',
    },
  ];
  return {
    splits: [split('', 0, 2), split('', 0, 5), split('.0', 0, 3), split('.1', 3, 5), lone],
    recoveries,
  };
}
