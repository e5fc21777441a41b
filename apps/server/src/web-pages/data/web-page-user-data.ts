import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { webPageSession } from './web-page-tables.ts';

export const webPagesUserTables: UserTables = {
  names: [{ table: webPageSession, name: webPageSession.username, id: webPageSession.userId }],
  secret: [
    webPageSession.label,
    webPageSession.holder,
    webPageSession.scopes,
    webPageSession.linkSha256,
    webPageSession.cookieSha256,
  ],
};
