/**
 * Real services for tests. A test file says what it needs at its top level and gets it for itself alone:
 *
 *   const { url } = await freshPostgres();                 // x.pg.test.ts: an empty database
 *   const { url, database } = await freshClickHouse();     // x.clickhouse.test.ts: an empty database
 *   const { url, prefix } = await freshRedis();            // x.redis.test.ts: a Redis of its own
 *   const server = await startRedisServer();               // one that the test kills, freezes and restarts
 *   const server = await startPostgresServer();            // the same; startClickHouseServer() too
 *   const proxy = await createTcpProxy(url);               // a network that is cut, slow, frozen or loses answers
 *   await waitUntil(() => rows === 3, { what: 'three rows' });   // never a sleep
 *
 * A service starts when the first file of a run asks for it and ends with the run. It comes from POSTGRES_URL,
 * CLICKHOUSE_URL or REDIS_URL, else from containers when TEST_WITH=containers, else embedded (Redis: the
 * redis-server or valkey-server on the PATH). After each file nothing may be left open: sockets, servers, processes.
 */
export { hasProgram, readTestServicesConfig } from './config.ts';
export { type DeclaredSample, declaredSamples, type SampleJson } from './declaration-arbitraries.ts';
export { type KillableServer, startClickHouseServer, startPostgresServer } from './faults/killable-server.ts';
export { createTcpProxy, type TcpProxy } from './faults/tcp-proxy.ts';
export { createManualClock, type ManualClock } from './manual-clock.ts';
export { type AnswerCheck, createAnswerCheck, type ReceivedAnswer } from './openapi/answer-check.ts';
export { lintDescriptions } from './openapi/lint-descriptions.ts';
export { lintOpenApi, lintPage } from './openapi/lint-openapi.ts';
export { type ExampleAnswer, type ExampleCall, playExamples } from './openapi/play-examples.ts';
export { type EngineUser, runAsEngineUser } from './services/engine-user.ts';
export { findFreePort, isPortFree } from './services/free-port.ts';
export { type FreshClickHouse, freshClickHouse } from './services/fresh-clickhouse.ts';
export { type FreshPostgres, freshPostgres } from './services/fresh-postgres.ts';
export { type FreshRedis, freshRedis } from './services/fresh-redis.ts';
export { type QueryEngine, startQueryEngine } from './services/query-engine.ts';
export { type RedisServer, type RedisServerOptions, startRedisServer } from './services/redis-server.ts';
export { type DiscordGrant, type DiscordStandIn, startDiscordStandIn } from './stand-ins/discord-stand-in.ts';
export { type ItchIoStandIn, type ItchIoUser, startItchIoStandIn } from './stand-ins/itch-io-stand-in.ts';
export { type MockIssuer, startMockIssuer } from './stand-ins/mock-issuer.ts';
export { type OidcServer, startOidcServer } from './stand-ins/oidc-server.ts';
export { type StandIn, type StandInMood, startStandIn } from './stand-ins/stand-in-server.ts';
export { type SteamStandIn, type SteamTicket, startSteamStandIn } from './stand-ins/steam-stand-in.ts';
export { type WaitOptions, waitUntil } from './wait-until.ts';
