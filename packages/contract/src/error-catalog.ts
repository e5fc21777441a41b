/**
 * The application error catalog (docs/design/portal.md, section 8).
 * A failure crosses the API as `{ code, message }`; what a user may not see stays in `detail` and `cause`.
 */
export const errorCatalog = {
  unknown: { code: -1, httpStatus: 500, message: 'unknown' },
  noPermission: { code: 1000, httpStatus: 403, message: 'no permission' },
  httpUnknown: { code: 2000, httpStatus: 502, message: 'HTTP unknown' },
  invalidSession: { code: 2001, httpStatus: 401, message: 'invalid session' },
  noConnection: { code: 2002, httpStatus: 503, message: 'no connection' },
  notFound: { code: 2003, httpStatus: 404, message: 'not found' },
  invalidParameters: { code: 2004, httpStatus: 400, message: 'invalid parameters' },
  loginUserDoesNotExist: { code: 3000, httpStatus: 400, message: 'login user does not exist' },
  invalidLoginCode: { code: 3001, httpStatus: 400, message: 'invalid login code' },
  loginUserNotAuthorized: { code: 3002, httpStatus: 400, message: 'login user not authorized' },
  loginInvalidSession: { code: 3003, httpStatus: 400, message: 'login invalid session' },
  commandFailed: { code: 4000, httpStatus: 422, message: 'command failed' },
  commandHasNoDevice: { code: 4001, httpStatus: 400, message: 'command has no device' },
  commandNotFound: { code: 4002, httpStatus: 404, message: 'command not found' },
  commandHasNoSerialNumber: {
    code: 4003,
    httpStatus: 422,
    message: 'command has no serial number',
  },
  invocationNotFound: { code: 5000, httpStatus: 404, message: 'invocation not found' },
  invocationWaitFailed: { code: 5001, httpStatus: 504, message: 'invocation wait failed' },
  deviceNotFound: { code: 6000, httpStatus: 404, message: 'device not found' },
  deviceInstanceNotFound: { code: 6001, httpStatus: 404, message: 'device instance not found' },
  roleAlreadyExists: { code: 7000, httpStatus: 409, message: 'user-access role already exists' },
  userAlreadyExists: { code: 7001, httpStatus: 409, message: 'user already exists' },
  airBlastTokenExpired: {
    code: 8000,
    httpStatus: 409,
    message: 'AirBlast next-step token expired',
  },
  airBlastStepAlreadyDone: { code: 8001, httpStatus: 409, message: 'AirBlast step already done' },
  airBlastStepFailed: { code: 8002, httpStatus: 422, message: 'AirBlast step failed' },
} as const satisfies Record<string, CatalogEntry>;

export interface CatalogEntry {
  readonly code: number;
  readonly httpStatus: number;
  readonly message: string;
}

export type ErrorName = keyof typeof errorCatalog;
export type ErrorCode = (typeof errorCatalog)[ErrorName]['code'];
