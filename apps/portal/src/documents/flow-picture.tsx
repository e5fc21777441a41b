import * as tokens from '@cloudscape-design/design-tokens';
import { useId, type ReactNode } from 'react';
import { useT, type Translate } from '../i18n/use-t.ts';
import type { FlowExit, FlowStep } from './flow-model.ts';

const ROW_PX = 92;
const BOX = { x: 40, width: 280, height: 52 } as const;
const MIDDLE_X = BOX.x + BOX.width / 2;
const RIGHT_X = BOX.x + BOX.width;
const LANE_X = RIGHT_X + 250;
const WIDTH_PX = LANE_X + 20;
const END = { width: 120, height: 32 } as const;
const LONGEST = 34;

const START_PX = 32;

const rowTop = (index: number): number => START_PX + index * ROW_PX;
const rowMiddle = (index: number): number => rowTop(index) + BOX.height / 2;

/** The diagram of a document’s flow. The list next to it has the same content as text. */
export function FlowPicture({ steps }: { readonly steps: readonly FlowStep[] }): ReactNode {
  const t = useT();
  const arrow = useId();
  const endY = rowTop(steps.length);
  const line = { stroke: tokens.colorTextBodySecondary, fill: 'none', strokeWidth: 1.5 };
  return (
    <div
      className="dp-flow-frame"
      tabIndex={0}
      role="region"
      aria-label={t('documents.flow.title')}
    >
      <svg
        role="img"
        aria-label={t('documents.flow.label', { count: steps.length })}
        width={WIDTH_PX}
        height={endY + END.height + 8}
        className="dp-flow"
      >
        <defs>
          <marker
            id={arrow}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M0 0 L8 4 L0 8 z" fill={tokens.colorTextBodySecondary} />
          </marker>
        </defs>
        <path d={`M${MIDDLE_X} 4 V${rowTop(0)}`} style={line} markerEnd={`url(#${arrow})`} />
        {steps.map((step, index) => (
          <g key={step.name}>
            <path
              d={`M${MIDDLE_X} ${rowTop(index) + BOX.height} V${rowTop(index + 1)}`}
              style={line}
              markerEnd={`url(#${arrow})`}
            />
            {step.onlyIf === null ? null : (
              <path
                d={`M${MIDDLE_X} ${rowTop(index) - 14} H${BOX.x - 24} V${rowTop(index) + BOX.height + 14} H${MIDDLE_X}`}
                style={{ ...line, strokeDasharray: '4 4' }}
              />
            )}
            {step.exits.map((exit, which) => (
              <Exit
                key={exit.on}
                exit={exit}
                from={rowMiddle(index) + (which === 0 ? -10 : 14)}
                endY={endY}
                arrow={arrow}
                words={exitWords(exit, t)}
              />
            ))}
            <StepBox step={step} top={rowTop(index)} t={t} />
          </g>
        ))}
        <End top={endY} words={t('documents.flow.end')} />
      </svg>
    </div>
  );
}

function exitWords({ on, as }: FlowExit, t: Translate): string {
  if (on === 'success') return t('documents.flow.onSuccess');
  return t(`documents.flow.onFailure.${as}`);
}

const shortened = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;

function StepBox({
  step,
  top,
  t,
}: {
  readonly step: FlowStep;
  readonly top: number;
  readonly t: Translate;
}): ReactNode {
  const note =
    step.onlyIf === null
      ? step.always
        ? t('documents.flow.always')
        : ''
      : t('documents.flow.onlyIf', { left: bare(step.onlyIf[0]), right: bare(step.onlyIf[1]) });
  const y = top + (note === '' ? 31 : 23);
  return (
    <g>
      <rect
        x={BOX.x}
        y={top}
        width={BOX.width}
        height={BOX.height}
        rx={8}
        style={{
          fill: tokens.colorBackgroundContainerContent,
          stroke: step.always ? tokens.colorTextStatusInfo : tokens.colorBorderInputDefault,
          strokeWidth: step.always ? 2 : 1,
        }}
      />
      <text x={MIDDLE_X} y={y} className="dp-flow-name" fill={tokens.colorTextBodyDefault}>
        {shortened(step.name)}
      </text>
      {note === '' ? null : (
        <text
          x={MIDDLE_X}
          y={top + 41}
          className="dp-flow-note"
          fill={tokens.colorTextBodySecondary}
        >
          {shortened(note)}
        </text>
      )}
    </g>
  );
}

/** Removes the braces of `{{ platformType }}`. */
const bare = (side: string): string => side.replace(/^\{\{\s*|\s*\}\}$/g, '');

function Exit({
  exit,
  from,
  endY,
  arrow,
  words,
}: {
  readonly exit: FlowExit;
  readonly from: number;
  readonly endY: number;
  readonly arrow: string;
  readonly words: string;
}): ReactNode {
  const [toX, toY] =
    exit.to === null
      ? [MIDDLE_X + END.width / 2, endY + END.height / 2]
      : [RIGHT_X, rowMiddle(exit.to)];
  return (
    <>
      <path
        d={`M${RIGHT_X} ${from} H${LANE_X} V${toY} H${toX}`}
        style={{ stroke: tokens.colorTextBodySecondary, fill: 'none', strokeWidth: 1.5 }}
        markerEnd={`url(#${arrow})`}
      />
      <text
        x={RIGHT_X + 8}
        y={from - 5}
        className="dp-flow-exit"
        fill={tokens.colorTextBodySecondary}
      >
        {words}
      </text>
    </>
  );
}

function End({ top, words }: { readonly top: number; readonly words: string }): ReactNode {
  return (
    <g>
      <rect
        x={MIDDLE_X - END.width / 2}
        y={top}
        width={END.width}
        height={END.height}
        rx={END.height / 2}
        style={{
          fill: tokens.colorBackgroundLayoutMain,
          stroke: tokens.colorBorderInputDefault,
        }}
      />
      <text x={MIDDLE_X} y={top + 21} className="dp-flow-name" fill={tokens.colorTextBodyDefault}>
        {words}
      </text>
    </g>
  );
}
