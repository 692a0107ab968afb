import { defineConfig, type Environment, logLevels, type Values } from '@tickrate/platform';

const declaration = {
  logLevel: {
    name: 'LOG_LEVEL',
    type: 'enum',
    values: logLevels,
    default: 'info',
    help: 'Lowest level that is logged',
  },
  noColor: {
    name: 'NO_COLOR',
    type: 'string',
    default: null,
    help: 'Any value disables colours and animations in the terminal',
  },
} as const;

export const standaloneConfig = defineConfig(declaration);

export type StandaloneValues = Values<typeof declaration> & {
  /** What the processes inherit, beside what the supervisor sets. */
  readonly inherited: Environment;
};

export function readStandaloneValues(): StandaloneValues {
  return { ...standaloneConfig.parse(process.env), inherited: process.env };
}
