/** The text that an approval's signature covers. */
export const approvalText = (approval: {
  readonly id: string;
  readonly revision: number;
  readonly planSha256: string;
  readonly byId: string;
  readonly decision: string;
  readonly at: Date;
}): string =>
  [
    approval.id,
    approval.revision,
    approval.planSha256,
    approval.byId,
    approval.decision,
    approval.at.toISOString(),
  ].join('\n');
