import type { UserTables } from '../../personal-data/tables-of-users.ts';
import {
  apiToken,
  apiTokenAddress,
  deviceAuthorization,
  userCodeFailure,
} from './api-tokens-tables.ts';

export const apiTokensUserTables: UserTables = {
  own: [
    { table: apiToken, id: apiToken.ownerId },
    { table: apiTokenAddress, id: apiTokenAddress.ownerId },
    { table: deviceAuthorization, id: deviceAuthorization.decidedById },
    { table: userCodeFailure, id: userCodeFailure.userId },
  ],
  secret: [apiToken.tokenHash, deviceAuthorization.deviceCodeHash],
};
