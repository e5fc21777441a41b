import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';

/** For a change of what another user has changed since it was shown. */
export const staleError = (): PortalError => refuse('changed-meanwhile', { field: 'basedOn' });
