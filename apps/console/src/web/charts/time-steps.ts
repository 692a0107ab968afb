const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const wholeDays = [1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365].map((count) => count * day);
const shortSteps = [
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * hour),
  ...wholeDays,
];

/** Whether marks of a time axis are written as days, and not as times of a day. */
export function isOfDays(seconds: number): boolean {
  return seconds > 2 * day;
}

/** The distances that marks of a time axis may have, in seconds: no day has two marks that read the same. */
export function timeSteps(seconds: number): number[] {
  return isOfDays(seconds) ? wholeDays : shortSteps;
}
