// The types of both builds. `package.json` chooses the browser's or Node's code.
export { Tickrate } from './node/node.ts';
export type * from './public-types.ts';
