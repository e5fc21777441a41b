import type { AnalyticsConfig } from '../config.ts';
import type { SettingValues } from '../settings.ts';

export function chooseAnalytics(values: SettingValues): AnalyticsConfig | undefined {
  const { analyticsWorkgroup: workgroup, analyticsTable = 'deviceportal.audit_trail' } = values;
  if (workgroup === 'database') return undefined;
  const [database = '', table = ''] = analyticsTable.split('.');
  const { region, analyticsEndpoint: endpoint } = values;
  return { workgroup, table: { database, name: table }, region, endpoint };
}
