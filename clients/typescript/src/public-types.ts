export type { Client } from './core/client.ts';
export type { Loss, LossReason, Options, TickrateEvent, Tuning } from './core/options.ts';
export type { Platform } from './core/platform.ts';
export type { Consent } from './core/saved-state.ts';
export type { Prompt, SignInError, SignInInput } from './sign-in/reducer.ts';
export type { SignIn } from './sign-in/tickrate.ts';
