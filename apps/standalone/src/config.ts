import { defineConfig, type Environment, sharedVariables, type Values } from '@tickrate/platform';

const declaration = {
  logLevel: sharedVariables.logLevel,
  inFlightBytes: sharedVariables.inFlightBytes,
  noColor: {
    name: 'NO_COLOR',
    type: 'string',
    default: null,
    help: 'Any value disables colours and animations in the terminal',
  },
} as const;

export const standaloneConfig = defineConfig(declaration);

export type StandaloneValues = Values<typeof declaration> & {
  /** The environment of the processes, in addition to the settings of the supervisor. */
  readonly inherited: Environment;
};

export function readStandaloneValues(): StandaloneValues {
  return { ...standaloneConfig.parse(process.env), inherited: process.env };
}
