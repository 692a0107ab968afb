import { systemError } from '@tickrate/contract';
import { type StudioProvider, studioConnection } from '../administrators/studio-provider.ts';
import { anyKeyRoute } from '../callers/caller.ts';
import type { AuthParts } from '../parts.ts';
import { hashOf } from '../providers/open-id.ts';
import { studioOperations as operations } from './studio-operations.ts';

export const readProvider = anyKeyRoute(operations.readStudioProvider, async ({ studio }) => ({
  name: studio?.name ?? null,
  only: studio?.isOnly ?? false,
}));

export const visitProvider = anyKeyRoute(operations.visitStudioProvider, async (parts, { body }) => ({
  url: await studioOf(parts).signInUrl(body),
}));

export const redeemCode = anyKeyRoute(operations.redeemStudioCode, async (parts, { body }) => {
  const { idToken, claims } = await studioOf(parts).redeem(body.code, body.codeVerifier);
  await parts.userinfo.remember(hashOf(idToken), JSON.stringify(claims));
  return { connectionId: studioConnection, idToken };
});

function studioOf({ studio }: AuthParts): StudioProvider {
  if (studio !== null) return studio;
  const fields = 'no provider signs administrators in here: the operator sets ADMIN_OIDC_ISSUER';
  throw systemError('notPermitted', {}, { fields });
}
