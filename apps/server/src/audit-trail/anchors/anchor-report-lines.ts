import type { AnchorReport } from './check-anchors.ts';

/** What the anchors prove. @param file undefined where none was compared */
export function anchorNoteLines(report: AnchorReport, file: string | undefined): string[] {
  const { blocks, stamps, unchecked, newest, unreadable } = report;
  return [
    ...(file === undefined ? [] : [`${blocks} blocks are as the anchor file ${file} has them.`]),
    ...(stamps > 0 && newest !== null
      ? [
          `${stamps} time stamps hold. Block ${newest.number}, and all before it, existed at ${newest.at.toISOString()}, says ${newest.authority}.`,
        ]
      : []),
    ...(unchecked > 0
      ? [
          `Not checked: ${unchecked} time stamps. Name the certificates of trusted authorities with --tsa-ca FILE.`,
        ]
      : []),
    ...(unreadable > 0 ? [`Note: ${unreadable} lines of the anchor file are torn.`] : []),
  ];
}

/** One line for each fault; empty where all is well. */
export function anchorFaultLines({ rewritten, lacking, badStamp }: AnchorReport): string[] {
  return [
    ...(rewritten === null
      ? []
      : [
          `Fault: block ${rewritten} is not the one that was anchored: the trail was cut off or made anew.`,
        ]),
    ...(lacking === null
      ? []
      : [`Fault: the anchor file lacks block ${lacking}: it was cut, or nothing is delivered.`]),
    ...(badStamp === null
      ? []
      : [`Fault at the time stamp of block ${badStamp.number}: ${badStamp.reason}.`]),
  ];
}
