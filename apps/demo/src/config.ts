import { defineConfig, sharedVariables, type Values } from '@tickrate/platform';

const declaration = {
  host: {
    ...sharedVariables.host,
    help: 'Address for health and metrics',
  },
  port: {
    ...sharedVariables.port,
    default: 8084,
    help: 'Port for health and metrics; 0 picks a free one',
  },
  logLevel: sharedVariables.logLevel,
  postgresUrl: sharedVariables.postgresUrl,
  secretsKey: sharedVariables.secretsKey,
  gatewayUrl: {
    name: 'GATEWAY_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'Where the simulated game sends its events; the default is http://127.0.0.1:8080',
  },
  authUrl: {
    name: 'AUTH_URL',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: 'http://127.0.0.1:8081',
    help: 'Where the simulated game signs its players in',
  },
  folder: {
    name: 'DEMO_FOLDER',
    type: 'string',
    default: '.tickrate/demo',
    help: 'Folder for the simulated players: each has the buffer and the account of a device. Without it they are other players after a restart',
  },
  startsByItself: {
    name: 'DEMO_START',
    type: 'boolean',
    default: false,
    help: 'Whether the simulated game starts with this process. Otherwise the owner of the installation starts it in the console',
  },
} as const;

export const demoConfig = defineConfig(declaration);

export type DemoValues = Values<typeof declaration>;
