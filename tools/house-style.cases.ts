import { importOf, type RuleCase } from './house-rules.cases.ts';

const gateway = 'apps/gateway/src/route.ts';
const testFile = 'packages/registry/src/keys.test.ts';

export const styleCases: readonly RuleCase[] = [
  {
    rule: 'performance/noReExportAll',
    code: "export * from './a.ts';\n",
    brokenIn: ['packages/registry/src/index.ts'],
  },
  {
    rule: 'style/noDefaultExport',
    code: 'export default 1;\n',
    brokenIn: [gateway],
    allowedIn: ['vitest.config.ts'],
  },
  { rule: 'suspicious/noExplicitAny', code: 'export const a: any = 1;\n', brokenIn: [gateway, testFile] },
  { rule: 'suspicious/noTsIgnore', code: '// @ts-ignore\nexport const a = 1;\n', brokenIn: [gateway] },
  { rule: 'suspicious/noVar', code: 'export var a = 1;\n', brokenIn: [gateway] },
  { rule: 'suspicious/noFocusedTests', code: "test.only('a', () => {});\n", brokenIn: [testFile] },
  { rule: 'suspicious/noSkippedTests', code: "test.skip('a', () => {});\n", brokenIn: [testFile] },
  { rule: 'suspicious/noEmptyBlockStatements', code: 'try {\n  a();\n} catch {}\n', brokenIn: [gateway] },
  {
    rule: 'style/noNonNullAssertion',
    code: 'export const f = (a: { b?: string }) => a.b!.length;\n',
    brokenIn: [gateway],
  },
  { rule: 'style/noEnum', code: 'export enum A {\n  b = 1,\n}\n', brokenIn: [gateway] },
  {
    rule: 'style/noNamespace',
    code: 'export namespace A {\n  export const b = 1;\n}\n',
    brokenIn: [gateway],
  },
  {
    rule: 'style/noParameterProperties',
    code: 'export class A {\n  constructor(readonly b: string) {}\n}\n',
    brokenIn: [gateway],
  },
  {
    rule: 'style/noParameterAssign',
    code: 'export function f(a: number) {\n  a = 2;\n  return a;\n}\n',
    brokenIn: [gateway],
  },
  {
    rule: 'style/noNestedTernary',
    code: 'export const f = (a: number) => (a ? 1 : a > 1 ? 2 : 3);\n',
    brokenIn: [gateway],
  },
  { rule: 'style/useThrowOnlyError', code: "export function f() {\n  throw 'a';\n}\n", brokenIn: [gateway] },
  {
    rule: 'style/useFilenamingConvention',
    code: 'export const a = 1;\n',
    brokenIn: ['apps/gateway/src/insertRoute.ts'],
    allowedIn: ['apps/gateway/src/insert-route.pg.test.ts'],
  },
  {
    rule: 'style/useImportType',
    code: "import { A } from './a.ts';\nexport const b: A = 1;\n",
    brokenIn: [gateway],
  },
  { rule: 'style/useNodejsImportProtocol', code: importOf('fs'), brokenIn: [gateway] },
  {
    rule: 'correctness/useImportExtensions',
    code: importOf('./cycle-a'),
    brokenIn: ['apps/cycle/src/reader.ts'],
  },
  {
    rule: 'correctness/noUndeclaredDependencies',
    code: importOf('left-pad'),
    brokenIn: ['apps/cycle/src/padding.ts'],
  },
  {
    rule: 'suspicious/noImportCycles',
    code: importOf('./cycle-a.ts'),
    brokenIn: ['apps/cycle/src/cycle-b.ts'],
  },
  {
    rule: 'complexity/useMaxParams',
    code: 'export const f = (a: 1, b: 1, c: 1, d: 1) => [a, b, c, d];\n',
    brokenIn: [gateway],
  },
  {
    rule: 'complexity/noExcessiveLinesPerFunction',
    code: functionOf(81),
    brokenIn: [gateway],
    allowedIn: [testFile],
  },
  {
    rule: 'complexity/noExcessiveLinesPerFunction',
    code: functionOf(37),
    brokenIn: [],
    allowedIn: [gateway],
  },
  { rule: 'style/noExcessiveLinesPerFile', code: "import './a.ts';\n".repeat(301), brokenIn: [gateway] },
  { rule: 'complexity/noExcessiveCognitiveComplexity', code: nestedOf(6), brokenIn: [gateway] },
  {
    rule: 'nursery/noFloatingPromises',
    code: 'async function f(): Promise<void> {}\nexport function g(): void {\n  f();\n}\n',
    brokenIn: [gateway],
  },
  {
    rule: 'nursery/noMisusedPromises',
    code: 'async function f(): Promise<boolean> {\n  return true;\n}\nexport function g(): number {\n  if (f()) return 1;\n  return 2;\n}\n',
    brokenIn: [gateway],
  },
  {
    rule: 'nursery/useExhaustiveSwitchCases',
    code: "export function f(a: 'x' | 'y'): void {\n  switch (a) {\n    case 'x':\n      break;\n  }\n}\n",
    brokenIn: [gateway],
  },
];

function functionOf(lines: number): string {
  return `export function f(a: number[]): void {\n${'  a.push(1);\n'.repeat(lines)}}\n`;
}

function nestedOf(depth: number): string {
  return `export function f(a: number): number {\n${'if (a > 1) {\n'.repeat(depth)}return 1;\n${'}\n'.repeat(depth)}return 2;\n}\n`;
}
