export type Unit = 'seconds' | 'bytes';

const decimal = [1, 2, 5];
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The distances that marks of an axis may have: round numbers in the unit that a reader sees, such as 5 min or 16 GiB. */
export const unitSteps: Readonly<Record<Unit, number[]>> = {
  seconds: [
    ...[1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1].flatMap((power) => decimal.map((count) => count * power)),
    1,
    2,
    5,
    10,
    15,
    30,
    ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
    ...[1, 2, 3, 6, 12].map((count) => count * hour),
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => count * day),
  ],
  bytes: Array.from({ length: 50 }, (_, power) => 2 ** power),
};
