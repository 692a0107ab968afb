import { type StandIn, startStandIn } from './stand-in-server.ts';

export interface DiscordGrant {
  readonly applicationId: string;
  readonly userId: string;
  readonly expiresMs: number;
  readonly scopes?: readonly string[];
}

export interface DiscordStandIn extends StandIn {
  issueToken(grant: DiscordGrant): string;
}

/** Discord's answer about the user and the application of an access token. */
export async function startDiscordStandIn(): Promise<DiscordStandIn> {
  const grants = new Map<string, DiscordGrant>();
  const server = await startStandIn(({ url, headers }) => {
    if (url.pathname !== '/api/v10/oauth2/@me')
      return { status: 404, body: { message: '404: Not Found', code: 0 } };
    const grant = grants.get((headers.authorization ?? '').replace(/^Bearer /, ''));
    if (grant === undefined) return { status: 401, body: { message: '401: Unauthorized', code: 0 } };
    const scopes = grant.scopes ?? ['identify'];
    const user = { id: grant.userId, username: 'finch', global_name: 'Mari\u202Egold', avatar: 'a1b2c3' };
    const body = {
      application: { id: grant.applicationId, name: 'A game', icon: null, description: '' },
      scopes,
      expires: new Date(grant.expiresMs).toISOString(),
      // Discord names the user only to the application that was granted access.
      ...(scopes.includes('identify') ? { user } : {}),
    };
    return { status: 200, body };
  });
  return {
    ...server,
    issueToken(grant) {
      const token = `discordToken.${grants.size}.${grant.userId}`;
      grants.set(token, grant);
      return token;
    },
  };
}
