import type { AirBlastStopReason } from './air-blast.ts';

type Words = Readonly<Record<'en' | 'zh-CN', string>>;

const stopReasons: Readonly<Record<AirBlastStopReason, Words>> = {
  'no-device-may-go': { en: 'No device passed preflight', 'zh-CN': '没有设备通过预检' },
  'too-few-succeeded': { en: 'Too few devices succeeded', 'zh-CN': '成功的设备过少' },
  'too-many-errors': { en: 'More failures than allowed', 'zh-CN': '失败数超过允许值' },
  'too-few-verified': { en: 'Too few devices are as intended', 'zh-CN': '符合预期的设备过少' },
  'command-refused': { en: 'A command was rejected', 'zh-CN': '命令被拒绝' },
  'plan-changed': {
    en: 'A document, parameter, or device changed after the plan was created',
    'zh-CN': '计划创建后，文档、参数或设备发生了变化',
  },
  rejected: { en: 'Rejected by the approver', 'zh-CN': '审批人已拒绝' },
};

/**
 * Why a rollout was stopped, for its page, notifications, and messages. A reason that a user wrote
 * is returned unchanged.
 */
export function stopReasonWords(reason: string, language: keyof Words): string {
  return Object.hasOwn(stopReasons, reason)
    ? stopReasons[reason as AirBlastStopReason][language]
    : reason;
}
