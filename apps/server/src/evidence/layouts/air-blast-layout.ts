import type { AirBlastDetail, AirBlastResult } from '@deviceportal/contract/air-blast';
import { durationWords, momentWords } from '@deviceportal/contract/moment-words';
import type { ReportBlock } from '@deviceportal/contract/report-blocks';
import type { ReportLanguage } from '@deviceportal/contract/reports';
import { airBlastState, statusDetails } from '@deviceportal/contract/states';
import { getAirBlast } from '../../air-blast/get-air-blast.ts';
import { getResult } from '../../air-blast/get-result.ts';
import type { LayOutEvidence } from '../export-report.ts';
import { eventsSection } from './events-section.ts';
import { evidenceWords } from './evidence-words.ts';
import { factsBlock, frameOf, parametersSection, sectionOf, tableBlock } from './layout-parts.ts';

/** A rollout: its plan, waves, failures, and approvals. */
export const airBlastLayout: LayOutEvidence = async (deps, viewer, { id, language }) => {
  const run = await getAirBlast(deps, viewer, id);
  const result = await getResult(deps, viewer, id);
  return frameOf({
    ...{ id, viewer, language, now: deps.clock() },
    title: evidenceWords(language).titles['air-blast'](run.name),
    sections: [
      sectionOf('result', language, [rolloutFacts(run, language)]),
      parametersSection(run.parameters, language),
      sectionOf('waves', language, waveRows(run, language)),
      sectionOf('failures', language, failureRows(result, language)),
      sectionOf('approvals', language, approvalRows(run, language)),
      await eventsSection(deps, viewer, { kind: 'air-blast', id, language }),
    ],
  });
};

function rolloutFacts(run: AirBlastDetail, language: ReportLanguage): ReportBlock {
  const { labels } = evidenceWords(language);
  return factsBlock([
    [labels.status, airBlastState[run.state][language]],
    [labels.change, run.change],
    [labels.targets, run.targetCount],
    [labels.succeeded, run.report.asIntended],
    [labels.failed, run.report.failed],
    [labels.operator, run.operator],
    [labels.started, momentWords(run.createdAt)],
    [labels.ended, momentWords(run.endedAt)],
    [labels.reason, run.reason],
    [labels.plan, run.planSha256],
  ]);
}

function waveRows({ waves }: AirBlastDetail, language: ReportLanguage): ReportBlock[] {
  const { labels, sections, steps } = evidenceWords(language);
  return tableBlock({
    label: sections.waves,
    headers: [
      ...[labels.step, labels.wave, labels.targets, labels.succeeded],
      ...[labels.failed, labels.started, labels.duration],
    ],
    widths: [1.6, 0.8, 1, 1.2, 1, 2, 1.2],
    rows: waves.map(({ step, wave, devices, counters, openedAt, endedAt }) => [
      steps[step],
      wave,
      devices,
      counters?.success,
      counters === null ? null : counters.failed + counters.timedOut,
      momentWords(openedAt),
      durationWords(openedAt, endedAt),
    ]),
  });
}

function failureRows({ failures }: AirBlastResult, language: ReportLanguage): ReportBlock[] {
  const { labels, sections } = evidenceWords(language);
  const known = Object.entries(statusDetails);
  return tableBlock({
    label: sections.failures,
    headers: [labels.status, labels.exitCode, labels.step, labels.targets],
    widths: [2, 1, 2, 1],
    rows: failures.map((failure) => [
      known.find(([state]) => state === failure.statusDetails)?.[1][language] ??
        failure.statusDetails,
      failure.responseCode,
      failure.step,
      failure.devices,
    ]),
  });
}

function approvalRows({ approvals }: AirBlastDetail, language: ReportLanguage): ReportBlock[] {
  const words = evidenceWords(language);
  const { labels } = words;
  return tableBlock({
    label: words.sections.approvals,
    headers: [labels.time, labels.decision, labels.by, labels.comment, labels.plan],
    widths: [2, 1.2, 2, 2.5, 3],
    rows: approvals.map(({ at, decision, by, comment, planSha256 }) => [
      momentWords(at),
      words[decision],
      by,
      comment,
      planSha256,
    ]),
  });
}
