/** `30 s`, `5 min`. */
export function writePeriod(
  seconds: number,
  texts: { seconds: (count: string) => string; minutes: (count: string) => string },
): string {
  return seconds % 60 === 0 ? texts.minutes(String(seconds / 60)) : texts.seconds(String(seconds));
}
