import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'src');

const front = `// Tickrate for C++17, in one header. Written by \`npm run docs\` from clients/cpp/src: edit there.
// Licensed under the Apache License, Version 2.0. See LICENSE.
#pragma once
`;

/** The single header that games include: every part once, in the order in which they need each other. */
export function amalgamate(): string {
  const seen = new Set<string>();
  return front + partOf('tickrate.hpp', seen);
}

function partOf(name: string, seen: Set<string>): string {
  if (seen.has(name)) return '';
  seen.add(name);
  const lines = readFileSync(join(folder, name), 'utf8').split('\n');
  const text = lines
    .filter((line) => line !== '#pragma once')
    .map((line) => {
      const included = /^#include "([\w.]+)"$/.exec(line)?.[1];
      return included === undefined ? line : partOf(included, seen);
    });
  return `${text.join('\n').trim()}\n`;
}
