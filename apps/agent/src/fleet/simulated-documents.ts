/**
 * The simulated scripts of built-in documents (by name without `DevicePortal-`), and of their
 * phases after a slash. Software documents have none, because their steps call the machine
 * directly.
 */

import {
  configRemember,
  configUndo,
  configVerify,
  installVerify,
  processVerify,
  serviceVerify,
  storageVerify,
} from './check-scripts.ts';
import {
  configShow,
  locate,
  logsCollect,
  logsTail,
  processTop,
  storageUsage,
} from './diagnosis-scripts.ts';
import { networkDiagnose, networkDns, networkPing } from './network-scripts.ts';
import {
  agentUpdate,
  configSet,
  factoryReset,
  processKill,
  restartAgentScript,
  restartDevice,
  storageClean,
} from './remedy-scripts.ts';
import { restartServiceScript, serviceStatus } from './service-scripts.ts';
import type { ScriptContext, SimulatedScript } from './simulated-script.ts';

export const simulatedDocuments: Readonly<
  Partial<Record<string, (context: ScriptContext) => SimulatedScript>>
> = {
  'logs-tail': logsTail,
  'logs-collect': logsCollect,
  'network-diagnose': networkDiagnose,
  'network-ping': networkPing,
  'network-dns': networkDns,
  'storage-usage': storageUsage,
  'storage-clean': storageClean,
  'process-top': processTop,
  'process-kill': processKill,
  'service-status': serviceStatus,
  'config-show': configShow,
  'config-set': configSet,
  locate,
  'restart-service': restartServiceScript,
  'restart-agent': restartAgentScript,
  'agent-update': agentUpdate,
  'restart-device': restartDevice,
  'factory-reset': factoryReset,
  'storage-clean/verify': storageVerify,
  'process-kill/verify': processVerify,
  'restart-service/verify': serviceVerify,
  'config-set/preCheck': configRemember,
  'config-set/verify': configVerify,
  'config-set/undo': configUndo,
  'software-install/verify': installVerify,
};
