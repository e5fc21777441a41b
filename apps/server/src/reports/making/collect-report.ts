import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { maskUser } from '../../people/mask-person.ts';
import { drawReportMap } from './draw-report-map.ts';
import { readCase } from './read-case.ts';
import { readCommands } from './read-commands.ts';
import { readConnectivity } from './read-connectivity.ts';
import { readDevices, reportDeviceOf } from './read-devices.ts';
import { readFindings } from './read-findings.ts';
import { readPlaces } from './read-places.ts';
import { readSubject } from './read-subject.ts';
import { readTimeline } from './read-timeline.ts';
import { readVersions } from './read-versions.ts';
import type { ReportMaking } from './report-making.ts';
import type { ReportProgressLog } from './report-progress.ts';

/** Reads everything that the report is to hold, step by step, with the rights of who asked for it. */
export async function collectReport(
  making: ReportMaking,
  progress: ReportProgressLog,
): Promise<UserReportDocument> {
  const { report, viewer, gaps, sources } = making;
  const { parts } = report;
  const { subject, account, userId } = await progress.step('person', () => readSubject(making));
  const devices = await progress.step(
    'devices',
    () => readDevices(making),
    ({ length }) => length,
  );
  const commands = await progress.step(
    'commands',
    () => readCommands(making, devices),
    ({ length }) => length,
  );
  const { timeline, connectivity } = await progress.step(
    'events',
    async () => {
      const events = await readTimeline(making, devices, userId);
      return { timeline: events, connectivity: await readConnectivity(making, devices, events) };
    },
    (read) => read.timeline.length,
  );
  const versions = await progress.step(
    'versions',
    () => readVersions(making, devices),
    (read) => read.versions.length,
  );
  const places = await progress.step(
    'locations',
    () => readPlaces(making, devices),
    ({ length }) => length,
  );
  const findings = await progress.step(
    'findings',
    () => readFindings(making, devices, commands),
    ({ length }) => length,
  );
  const shown = parts.includes('timeline') ? timeline : [];
  return {
    schema: 1,
    id: report.id,
    language: report.language,
    voice: report.voice,
    paper: report.paper,
    parts,
    from: report.from,
    to: report.to,
    createdAt: report.createdAt,
    createdBy: maskUser(report.createdBy, viewer),
    subject,
    account,
    findings,
    devices: devices.map(reportDeviceOf),
    connectivity,
    commands,
    ...versions,
    places,
    map: drawReportMap(places),
    case: await readCase(making),
    gaps,
    sources,
    timeline: shown,
    timelineTotal: shown.length,
  };
}
