export type AssumeRoleFault = 'accessDenied' | 'validation' | 'malformedPolicy';

/** Why a role was not assumed. The message can be shown to the caller. */
export class AssumeRoleError extends Error {
  override readonly name = 'AssumeRoleError';
  readonly fault: AssumeRoleFault;

  constructor(fault: AssumeRoleFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
