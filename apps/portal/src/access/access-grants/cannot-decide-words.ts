import type { AccessGrantObstacle } from '@deviceportal/contract/access-grants';
import type { Translate } from '../../i18n/use-t.ts';
import { permissionWords } from '../roles/permission-words.ts';

/**
 * The reason for which the viewer cannot decide on a request, and who can. Undefined if the viewer
 * can.
 */
export function cannotDecideWords(
  obstacle: AccessGrantObstacle | null,
  t: Translate,
): string | undefined {
  if (obstacle === null) return undefined;
  if (obstacle.reason === 'own') return t('access.accessGrant.obstacle.own');
  return t('access.accessGrant.obstacle.not-held', {
    list: obstacle.permissions.map((permission) => permissionWords(permission, t)).join(' · '),
  });
}
