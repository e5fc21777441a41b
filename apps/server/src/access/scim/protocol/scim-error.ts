import { PortalError } from '@deviceportal/contract/errors';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Kinds of errors of RFC 7644, section 3.12. */
export type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue';

/** A rejected request in the form of RFC 7644. Other errors are converted by `scimErrorOf`. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalid = (detail: string, scimType: ScimType = 'invalidValue'): ScimError =>
  new ScimError(400, detail, scimType);

/** The answer to an error; undefined for errors that are none of the client. */
export function scimErrorOf(error: unknown): ScimError | undefined {
  if (error instanceof ScimError) return error;
  if (!(error instanceof PortalError)) return undefined;
  const { errorName, message, issues, reason } = error;
  if (errorName === 'notFound') return new ScimError(404, 'The resource does not exist.');
  if (errorName === 'userAlreadyExists') {
    return new ScimError(409, 'Another user has this username, address, or number.', 'uniqueness');
  }
  if (reason === 'last-administrator') return new ScimError(409, message);
  if (reason === 'user-status-refuses') return new ScimError(409, message);
  if (errorName === 'noPermission' || reason === 'users-kept-elsewhere') {
    return new ScimError(403, message);
  }
  const fields = issues.map(({ path, message: text }) => `${path.join('.')} ${text}`.trim());
  return invalid(fields.length === 0 ? message : fields.join('; '));
}

export const scimErrorBody = ({ status, message, scimType }: ScimError): object => ({
  schemas: [ERROR_SCHEMA],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail: message,
});
