import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type SystemError, systemError } from '@tickrate/contract';
import type { Peer } from '../client-address.ts';
import type { Connection, RequestContext } from '../context.ts';
import type { ConnectionFault, HttpEvents } from '../events.ts';
import type { HttpLimits } from '../limits.ts';
import { bareAnswer, translateFault } from './connection-fault.ts';
import { ConnectionHolders, type Holder } from './connection-holders.ts';
import { WaitingRequests } from './waiting-requests.ts';

const lingerMs = 1000;
/** An unused connection is kept this much longer than promised to the client, because its next request may be on the way. */
const keepAliveMarginMs = 1000;
/** The limit of refused connections of one address that receive the reason. Further ones are closed silently. */
const refusedAtOnce = 16;

export interface ConnectionOptions {
  readonly events: HttpEvents;
  readonly newRequestId: () => string;
  readonly most: number;
  /** 0 is no limit. */
  readonly mostOfAddress: number;
  readonly peerOf: (address: string | undefined) => Peer;
}

/**
 * What is in flight on each connection, so that a fault of the connection itself (bytes that are not HTTP, headers
 * without end, half a request) is answered after the pending answers, never among them.
 */
export class HttpConnections {
  readonly #connections = new Map<Duplex, Connection>();
  readonly #holders = new ConnectionHolders();
  readonly #waiting = new WaitingRequests();
  readonly #options: ConnectionOptions;
  #draining = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Admits a new connection, and closes an idle one for it if needed. Returns false if none can be closed: then the new one is closed. */
  opened(socket: Socket): boolean {
    const { most, mostOfAddress, peerOf } = this.#options;
    const peer = peerOf(socket.remoteAddress);
    const isBounded = mostOfAddress > 0 && !peer.isProxy;
    const ofAddress = this.#holders.countOf(peer);
    if (isBounded && ofAddress >= mostOfAddress + refusedAtOnce)
      return this.#drop(socket, 'tooManyOfAddress');
    const holder = this.#holders.hold(peer);
    this.#connections.set(socket, newConnection(holder));
    socket.once('close', () => this.#forget(socket));
    if (isBounded && holder.count > mostOfAddress && !this.#makeRoom(holder.idle.keys(), 1))
      return this.#refuseOneMore(socket, 'tooManyOfAddress');
    if (this.size > most - reserveOf(most))
      this.#makeRoom(this.#holders.idleOfHeaviest(), reserveOf(most) + 1);
    if (this.size > most) return this.#refuseOneMore(socket, 'tooMany');
    holder.idle.set(socket, performance.now());
    return true;
  }

  /**
   * To be called at short intervals. Closes connections without a request for `keepAliveTimeoutMs` and the margin, if no
   * byte arrived since the call before. Closes those with bytes that never become a request `headersTimeoutMs` later.
   */
  closeUnused({ keepAliveTimeoutMs, headersTimeoutMs }: HttpLimits): void {
    const nowMs = performance.now();
    const keptMs = keepAliveTimeoutMs + keepAliveMarginMs;
    for (const [socket, sinceMs] of this.#holders.idleSince(nowMs - keepAliveTimeoutMs)) {
      const idleMs = nowMs - sinceMs;
      if (idleMs > keptMs + headersTimeoutMs) this.#drop(socket, 'stale');
      else if (this.#isSilent(socket, sinceMs) && idleMs > keptMs) socket.destroy();
    }
  }

  /** Whether the same idle time was seen before, and nothing has arrived since then. */
  #isSilent(socket: Duplex, sinceMs: number): boolean {
    const connection = this.#of(socket);
    const bytes = socket instanceof Socket ? socket.bytesRead : 0;
    const { unused } = connection;
    connection.unused = { sinceMs, bytes };
    return unused !== null && unused.sinceMs === sinceMs && unused.bytes === bytes;
  }

  #makeRoom(idle: Iterable<Duplex>, amount: number): boolean {
    let closed = 0;
    for (const socket of idle) {
      this.#drop(socket, 'madeRoom');
      closed++;
      if (closed === amount) break;
    }
    return closed > 0;
  }

  #drop(socket: Duplex, fault: ConnectionFault): false {
    this.#options.events.connectionFault(fault);
    this.#forget(socket);
    socket.destroy();
    return false;
  }

  #refuseOneMore(socket: Duplex, kind: 'tooMany' | 'tooManyOfAddress'): false {
    const refusal = kind === 'tooMany' ? 'temporarilyUnavailable' : 'rateLimited';
    this.#options.events.connectionFault(kind);
    this.refuse(socket, systemError(refusal, { retryAfterSeconds: 1 }));
    return false;
  }

  #forget(socket: Duplex): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    this.#connections.delete(socket);
    this.#waiting.dropAll(connection);
    this.#holders.release(connection.holder, socket);
  }

  begin(context: RequestContext): void {
    const connection = this.#of(context.request.socket);
    context.connection = connection;
    connection.inFlight++;
    connection.holder.idle.delete(context.request.socket);
    connection.requests++;
    connection.latest = context;
    if (this.#draining) closeAfter(context);
  }

  /**
   * True if the request has to wait for earlier ones of its connection, or is dropped with it. So a client that sends
   * requests and reads no answer makes one answer at a time.
   */
  waits(context: RequestContext): boolean {
    const { connection, request } = context;
    if (connection === null || connection.inFlight < 2) return false;
    if (!this.#waiting.add(connection, context)) this.#drop(request.socket, 'tooManyWaiting');
    return true;
  }

  /** The request that is to be served after this one. */
  nextOf({ connection }: RequestContext): RequestContext | null {
    return connection === null ? null : this.#waiting.takeNext(connection);
  }

  end(context: RequestContext): void {
    const { connection, request } = context;
    if (connection === null) return;
    connection.inFlight--;
    if (connection.latest === context) connection.latest = null;
    if (connection.inFlight > 0) return;
    if (connection.whenIdle) connection.whenIdle();
    else if (this.#draining) this.#close(request.socket, null);
    else if (this.#connections.has(request.socket))
      connection.holder.idle.set(request.socket, performance.now());
  }

  /** From now on every answer closes its connection. Node closes those that are kept alive unused; those that never sent a byte are left to us. */
  drain(): void {
    this.#draining = true;
    for (const [socket, { latest }] of this.#connections) {
      if (latest) closeAfter(latest);
      else if (socket instanceof Socket && socket.bytesRead === 0) socket.destroy();
    }
  }

  /** Answers a fault of the connection as a SystemError and closes it. */
  fail(socket: Duplex, error: Error): void {
    const connection = this.#of(socket);
    if (connection.faulted) return;
    connection.faulted = true;
    const { kind, fault } = translateFault(error);
    this.#options.events.connectionFault(kind);
    if (kind === 'reset' || !socket.writable) {
      connection.latest?.failBody?.(fault);
      socket.destroy();
      return;
    }
    const { latest } = connection;
    const isWithinBody = latest !== null && !latest.request.complete;
    if (isWithinBody) {
      latest.bodyFault = fault;
      closeAfter(latest);
      latest.failBody?.(fault);
    }
    this.#closeWhenIdle(socket, connection, isWithinBody ? null : fault);
  }

  /** Answers instead of a request, after the pending answers, and serves nothing more on the connection. */
  refuse(socket: Duplex, fault: SystemError): void {
    const connection = this.#of(socket);
    if (connection.faulted) return;
    connection.faulted = true;
    this.#closeWhenIdle(socket, connection, fault);
  }

  #closeWhenIdle(socket: Duplex, connection: Connection, fault: SystemError | null): void {
    connection.whenIdle = () => this.#close(socket, fault);
    if (connection.inFlight === 0) connection.whenIdle();
  }

  // Unread bytes are dropped for a while, or the connection would be reset and the answer lost.
  #close(socket: Duplex, fault: SystemError | null): void {
    if (socket.destroyed || socket.writableEnded) return;
    // A reset is as good.
    socket.on('error', () => undefined);
    socket.end(fault ? bareAnswer(fault, this.#options.newRequestId()) : '');
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
    socket.resume();
  }

  #of(socket: Duplex): Connection {
    // One that is not there is closing and holds nothing.
    return this.#connections.get(socket) ?? newConnection(this.#holders.none);
  }
}

function newConnection(holder: Holder): Connection {
  return {
    holder,
    inFlight: 0,
    requests: 0,
    latest: null,
    faulted: false,
    waiting: [],
    servesNoMore: false,
    whenIdle: null,
    unused: null,
  };
}

/** The number of connections that are kept free and closed at a time, because the search for idle ones is expensive. */
function reserveOf(most: number): number {
  return Math.floor(most / 50);
}

function closeAfter({ response }: RequestContext): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
}
