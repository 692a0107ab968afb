import { type StandIn, type StandInAnswer, startStandIn } from './stand-in-server.ts';

export interface ItchIoUser {
  readonly id: number;
  readonly username: string;
}

export interface ItchIoStandIn extends StandIn {
  readonly developerKey: string;
  /** The key that the itch.io app gives to a game that it starts. */
  issueToken(user: ItchIoUser): string;
  /** The key that an OAuth application gets. */
  issueOAuthKey(user: ItchIoUser): string;
  giveGame(gameId: string, user: ItchIoUser): void;
}

/** itch.io's server API: the user of a key, and the owners of a game. */
export async function startItchIoStandIn(): Promise<ItchIoStandIn> {
  const developerKey = 'itchDeveloperKey0123456789';
  const tokens = new Map<string, ItchIoUser>();
  const keys = new Map<string, ItchIoUser>();
  const owned = new Set<string>();
  const server = await startStandIn(({ url, headers }) => {
    const authorization = headers.authorization ?? '';
    const bearer = authorization.replace(/^Bearer /, '');
    if (url.pathname === '/api/1/jwt/me') return me(tokens.get(bearer));
    if (url.pathname === '/api/1/key/me') return me(bearer === authorization ? undefined : keys.get(bearer));
    const game = /^\/api\/1\/key\/game\/(\d+)\/download_keys$/.exec(url.pathname)?.[1];
    if (game === undefined) return { status: 404, body: { errors: ['invalid api endpoint'] } };
    if (bearer !== developerKey) return { status: 403, body: { errors: ['invalid key'] } };
    const isOwned = owned.has(`${game} ${url.searchParams.get('user_id')}`);
    return isOwned ? { status: 200, body: { download_key: { id: 7 } } } : refused('no download key found');
  });
  return {
    ...server,
    developerKey,
    issueToken(user) {
      const token = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(String(user.id)).toString('base64url')}.c2lnbmF0dXJl`;
      tokens.set(token, user);
      return token;
    },
    issueOAuthKey(user) {
      const key = `oauthKey${user.id}x${keys.size}`;
      keys.set(key, user);
      return key;
    },
    giveGame: (gameId, user) => void owned.add(`${gameId} ${user.id}`),
  };
}

function me(user: ItchIoUser | undefined): StandInAnswer {
  if (user === undefined) return refused('invalid key');
  const { id, username } = user;
  const body = { user: { id, username, url: `https://${username}.itch.io`, cover_url: null } };
  return { status: 200, body };
}

function refused(message: string): StandInAnswer {
  return { status: 200, body: { errors: [message] } };
}
