/**
 * What receivers accept, written from their public documentation: none of them publishes a JSON schema of its messages as
 * a package. Objects are strict, because receivers reject unknown fields or ignore them.
 */

import { z } from 'zod';

const plainText = z.strictObject({
  type: z.literal('plain_text'),
  text: z.string().min(1).max(3_000),
  emoji: z.boolean().optional(),
});
const markdown = z.strictObject({
  type: z.literal('mrkdwn'),
  text: z.string().min(1).max(3_000),
  verbatim: z.boolean().optional(),
});
const shorter = <Text extends { readonly text: string }>(most: number) =>
  ({
    check: ({ text }: Text) => text.length <= most,
    message: `at most ${most} characters`,
  }) as const;
const headerText = shorter<z.output<typeof plainText>>(150);
const buttonText = shorter<z.output<typeof plainText>>(75);
const fieldText = shorter<z.output<typeof markdown>>(2_000);

/** An incoming webhook with Block Kit (https://docs.slack.dev/reference/block-kit/blocks). */
export const slackSchema = z.strictObject({
  /** For notifications; required where blocks are not shown. */
  text: z.string().min(1).max(40_000),
  blocks: z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({
          type: z.literal('header'),
          text: plainText.refine(headerText.check, headerText.message),
          block_id: z.string().max(255).optional(),
        }),
        z.strictObject({
          type: z.literal('section'),
          fields: z.array(markdown.refine(fieldText.check, fieldText.message)).min(1).max(10),
          block_id: z.string().max(255).optional(),
        }),
        z.strictObject({
          type: z.literal('actions'),
          elements: z
            .array(
              z.strictObject({
                type: z.literal('button'),
                text: plainText.refine(buttonText.check, buttonText.message),
                url: z.url().max(3_000),
                action_id: z.string().max(255).optional(),
              }),
            )
            .min(1)
            .max(25),
        }),
      ]),
    )
    .min(1)
    .max(50),
});

/** Elements of Adaptive Cards 1.5 that alerts use (https://adaptivecards.io/explorer). */
const cardElement = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('TextBlock'),
    text: z.string().min(1),
    size: z.enum(['Default', 'Small', 'Medium', 'Large', 'ExtraLarge']).optional(),
    weight: z.enum(['Default', 'Lighter', 'Bolder']).optional(),
    color: z
      .enum(['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention'])
      .optional(),
    wrap: z.boolean().optional(),
    style: z.enum(['default', 'heading']).optional(),
  }),
  z.strictObject({
    type: z.literal('FactSet'),
    facts: z.array(z.strictObject({ title: z.string().min(1), value: z.string().min(1) })).min(1),
  }),
]);

/** A message with one card, at most 28 KB (https://learn.microsoft.com/microsoftteams/platform, "Format messages"). */
export const teamsSchema = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: z.literal('AdaptiveCard'),
        version: z.literal('1.5'),
        body: z.array(cardElement).min(1),
        actions: z
          .array(
            z.strictObject({
              type: z.literal('Action.OpenUrl'),
              title: z.string().min(1),
              url: z.url(),
            }),
          )
          .max(6),
      }),
    }),
  ]),
});
export const TEAMS_BYTES = 28_000;

const pagerdutyKey = {
  routing_key: z.string().length(32),
  dedup_key: z.string().min(1).max(255),
};

/** Events API v2 (https://developer.pagerduty.com/docs/events-api-v2-overview), at most 512 KB. */
export const pagerdutySchema = z.discriminatedUnion('event_action', [
  z.strictObject({
    ...pagerdutyKey,
    event_action: z.literal('trigger'),
    payload: z.strictObject({
      summary: z.string().min(1).max(1_024),
      source: z.string().min(1),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime(),
      component: z.string().optional(),
      group: z.string().optional(),
      class: z.string().optional(),
      custom_details: z.record(z.string(), z.unknown()),
    }),
    links: z.array(z.strictObject({ href: z.url(), text: z.string() })),
    images: z.array(z.strictObject({ src: z.url() })).optional(),
    client: z.string(),
    client_url: z.url(),
  }),
  z.strictObject({ ...pagerdutyKey, event_action: z.enum(['resolve', 'acknowledge']) }),
]);
export const PAGERDUTY_BYTES = 512_000;

/** The payload of Standard Webhooks ("Payload structure"). */
export const webhookSchema = z.strictObject({
  type: z.string().regex(/^[\w.]+$/),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});
