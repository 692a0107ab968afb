import { type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from './stand-in-server.ts';

export interface SteamTicket {
  readonly appId: string;
  readonly steamId: string;
  readonly identity?: string;
  /** The owner of a borrowed copy. */
  readonly ownerSteamId?: string;
  readonly vacBanned?: boolean;
  readonly publisherBanned?: boolean;
  /** Accepted by the first call only. */
  readonly isGoodOnce?: boolean;
}

export interface SteamStandIn extends StandIn {
  readonly publisherKey: string;
  /** A ticket of GetAuthTicketForWebApi, in hex. */
  issueTicket(ticket: SteamTicket): string;
}

/** Steam's partner API: AuthenticateUserTicket and GetPlayerSummaries. */
export async function startSteamStandIn(
  publisherKey = 'STEAMPUBLISHERKEY0123456789ABCDE',
): Promise<SteamStandIn> {
  const tickets = new Map<string, SteamTicket>();
  let issued = 0;
  const server = await startStandIn((request) => {
    // Like Steam: refusals of the caller are pages.
    if (request.headers['x-webapi-key'] !== publisherKey) {
      return { status: 403, body: '<html><head><title>Forbidden</title></head></html>' };
    }
    const { pathname, searchParams } = request.url;
    if (pathname === '/ISteamUserAuth/AuthenticateUserTicket/v1/') return authenticate(request, tickets);
    if (pathname === '/ISteamUser/GetPlayerSummaries/v2/')
      return summaries(searchParams.get('steamids') ?? '');
    return { status: 404, body: '<html><head><title>Not Found</title></head></html>' };
  });
  return {
    ...server,
    publisherKey,
    issueTicket(ticket) {
      issued += 1;
      const text = Buffer.from(`ticket ${issued} ${ticket.appId} ${ticket.steamId}`).toString('hex');
      tickets.set(text, ticket);
      return text;
    },
  };
}

function authenticate({ url }: StandInRequest, tickets: Map<string, SteamTicket>): StandInAnswer {
  const query = url.searchParams;
  if (!query.has('appid') || !query.has('ticket')) return { status: 400, body: '<h1>Bad Request</h1>' };
  const ticket = tickets.get(query.get('ticket') ?? '');
  if (ticket === undefined) return refused(101, 'Invalid ticket');
  if (ticket.appId !== query.get('appid')) return refused(102, 'Ticket for other app');
  if ((ticket.identity ?? null) !== query.get('identity')) return refused(101, 'Invalid ticket');
  if (ticket.isGoodOnce) tickets.delete(query.get('ticket') ?? '');
  const params = {
    result: 'OK',
    steamid: ticket.steamId,
    ownersteamid: ticket.ownerSteamId ?? ticket.steamId,
    vacbanned: ticket.vacBanned ?? false,
    publisherbanned: ticket.publisherBanned ?? false,
  };
  return { status: 200, body: { response: { params } } };
}

function refused(errorcode: number, errordesc: string): StandInAnswer {
  return { status: 200, body: { response: { error: { errorcode, errordesc } } } };
}

function summaries(steamid: string): StandInAnswer {
  const player = {
    steamid,
    personaname: `Player ${steamid.slice(-4)}`,
    avatarfull: `https://avatars.example/${steamid}.jpg`,
  };
  return { status: 200, body: { response: { players: [player] } } };
}
