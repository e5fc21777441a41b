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
import type { ReportCreation } from './report-creation.ts';
import type { ReportProgressLog } from './report-progress.ts';

/** Reads the content of the report step by step, with the permissions of its creator. */
export async function collectReport(
  creation: ReportCreation,
  progress: ReportProgressLog,
): Promise<UserReportDocument> {
  const { report, viewer, gaps, sources } = creation;
  const { parts } = report;
  const { subject, account, userId } = await progress.step('person', () => readSubject(creation));
  const devices = await progress.step(
    'devices',
    () => readDevices(creation),
    ({ length }) => length,
  );
  const commands = await progress.step(
    'commands',
    () => readCommands(creation, devices),
    ({ length }) => length,
  );
  const { timeline, connectivity } = await progress.step(
    'events',
    async () => {
      const events = await readTimeline(creation, devices, userId);
      return { timeline: events, connectivity: await readConnectivity(creation, devices, events) };
    },
    (read) => read.timeline.length,
  );
  const versions = await progress.step(
    'versions',
    () => readVersions(creation, devices),
    (read) => read.versions.length,
  );
  const places = await progress.step(
    'locations',
    () => readPlaces(creation, devices),
    ({ length }) => length,
  );
  const findings = await progress.step(
    'findings',
    () => readFindings(creation, devices, commands),
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
    case: await readCase(creation),
    gaps,
    sources,
    timeline: shown,
    timelineTotal: shown.length,
  };
}
