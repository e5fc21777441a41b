/** States of a QR code (docs/design/sign-in.md, section 4, "QR login status"). */
export const QrState = {
  expired: -1,
  waiting: 0,
  scanned: 1,
  authorized: 2,
  cancelled: 3,
  secondStep: 4,
  failed: 5,
} as const;
export type QrState = (typeof QrState)[keyof typeof QrState];

/** Events of a code. `askSecondStep` and `fail` also end a confirmation. */
export type QrEvent = 'scan' | 'cancel' | 'confirm' | 'askSecondStep' | 'fail';

/** From which states an event leads where; from all others it changes nothing. */
export const qrTransitions = {
  scan: { from: [QrState.waiting], to: QrState.scanned },
  cancel: { from: [QrState.scanned], to: QrState.cancelled },
  confirm: { from: [QrState.scanned], to: QrState.authorized },
  askSecondStep: { from: [QrState.scanned], to: QrState.secondStep },
  fail: { from: [QrState.scanned], to: QrState.failed },
} as const satisfies Record<QrEvent, { readonly from: readonly QrState[]; readonly to: QrState }>;

/** The state as the one who polls sees it: time beats everything, except that a used code has expired as well. */
export function shownQrState(
  code: { readonly status: number; readonly expiresAt: Date; readonly exchangedAt: Date | null },
  now: Date,
): QrState {
  if (code.exchangedAt !== null || code.expiresAt <= now) return QrState.expired;
  return code.status as QrState;
}
