import type { OperationId, publicOperations } from '@deviceportal/contract/public-api';

type Operations = typeof publicOperations;
type Route<Id extends OperationId> = readonly [
  method: Operations[Id]['method'],
  path: Operations[Id]['path'],
];

/**
 * Method and path of every operation of `/api/v1`. The types are the ones of the server, so this list cannot differ from
 * it, and contains no schema library.
 */
export const routes: { readonly [Id in OperationId]: Route<Id> } = {
  getToken: ['get', '/token'],
  search: ['get', '/search'],
  listDevices: ['get', '/devices'],
  getDevice: ['get', '/devices/{device}'],
  listDeviceInvocations: ['get', '/devices/{device}/invocations'],
  listDeviceFiles: ['get', '/devices/{device}/files'],
  createFileDownload: ['post', '/devices/{device}/files/downloads'],
  getFileTransfer: ['get', '/file-transfers/{transfer}'],
  cancelFileTransfer: ['post', '/file-transfers/{transfer}/cancel'],
  getDeviceMetrics: ['get', '/devices/{device}/metrics'],
  listCommands: ['get', '/commands'],
  createRun: ['post', '/runs'],
  listRuns: ['get', '/runs'],
  getRun: ['get', '/runs/{run}'],
  listRunInvocations: ['get', '/runs/{run}/invocations'],
  getInvocation: ['get', '/invocations/{invocation}'],
  cancelRun: ['post', '/runs/{run}/cancel'],
  getRunReport: ['get', '/runs/{run}/report'],
  listDocuments: ['get', '/documents'],
  getDocument: ['get', '/documents/{document}'],
  listCases: ['get', '/cases'],
  getCase: ['get', '/cases/{case}'],
  listCaseEntries: ['get', '/cases/{case}/entries'],
  openCase: ['post', '/cases'],
  addCaseEntry: ['post', '/cases/{case}/entries'],
  closeCase: ['post', '/cases/{case}/close'],
  listAlerts: ['get', '/alerts'],
  listAuditEvents: ['get', '/audit-events'],
  listImports: ['get', '/imports'],
  createImport: ['post', '/imports'],
  getImport: ['get', '/imports/{import}'],
  listImportRows: ['get', '/imports/{import}/rows'],
  advanceImport: ['post', '/imports/{import}/advance'],
  confirmImport: ['post', '/imports/{import}/confirm'],
  undoImport: ['post', '/imports/{import}/undo'],
  discardImport: ['post', '/imports/{import}/discard'],
  listWebhooks: ['get', '/webhooks'],
  getWebhook: ['get', '/webhooks/{webhook}'],
  listWebhookDeliveries: ['get', '/webhooks/{webhook}/deliveries'],
  testWebhook: ['post', '/webhooks/{webhook}/test'],
  resendWebhookDelivery: ['post', '/webhook-deliveries/{delivery}/resend'],
};
