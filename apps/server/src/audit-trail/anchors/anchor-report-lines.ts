import type { AnchorReport } from './check-anchors.ts';

/** What the anchors prove. @param file undefined where none was compared */
export function anchorNoteLines(report: AnchorReport, file: string | undefined): string[] {
  const { blocks, stamps, unchecked, newest, unreadable } = report;
  return [
    ...(file === undefined ? [] : [`${blocks} blocks match the anchor file ${file}.`]),
    ...(stamps > 0 && newest !== null
      ? [
          `${stamps} time stamps are valid. Block ${newest.number} and all earlier blocks existed at ${newest.at.toISOString()}, according to ${newest.authority}.`,
        ]
      : []),
    ...(unchecked > 0
      ? [
          `Not checked: ${unchecked} time stamps. Set the certificates of trusted authorities with --tsa-ca FILE.`,
        ]
      : []),
    ...(unreadable > 0 ? [`Note: ${unreadable} lines of the anchor file are incomplete.`] : []),
  ];
}

/** One line for each fault; empty where all is well. */
export function anchorFaultLines({ rewritten, lacking, badStamp }: AnchorReport): string[] {
  return [
    ...(rewritten === null
      ? []
      : [`Fault: block ${rewritten} differs from its anchor: the trail was truncated or rebuilt.`]),
    ...(lacking === null
      ? []
      : [
          `Fault: block ${lacking} is missing from the anchor file: the file was truncated, or delivery has stopped.`,
        ]),
    ...(badStamp === null
      ? []
      : [`Fault at the time stamp of block ${badStamp.number}: ${badStamp.reason}.`]),
  ];
}
