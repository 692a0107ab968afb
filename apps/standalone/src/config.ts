import { defineConfig, type Environment, logLevels, type Values } from '@tickrate/platform';

const declaration = {
  logLevel: { name: 'LOG_LEVEL', type: 'enum', values: logLevels, default: 'info', help: 'What is logged' },
  noColor: {
    name: 'NO_COLOR',
    type: 'string',
    default: null,
    help: 'With any value, the terminal gets no colours and no moving signs',
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
