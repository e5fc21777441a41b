import { metricDefinitions, type MetricName, type MetricUnit } from './device-metrics.ts';

type Language = 'en' | 'zh-CN';

/** Names of metrics, as the screens show them. For texts that the server writes. */
export const metricWords: Readonly<Record<MetricName, Readonly<Record<Language, string>>>> = {
  cpuUsedPercent: { en: 'CPU', 'zh-CN': 'CPU' },
  loadAverage: { en: 'Load (1 minute)', 'zh-CN': '负载（1 分钟）' },
  memoryUsedPercent: { en: 'Memory used', 'zh-CN': '内存使用率' },
  swapUsedPercent: { en: 'Swap used', 'zh-CN': '交换空间使用率' },
  diskUsedPercent: { en: 'Disk used', 'zh-CN': '磁盘使用率' },
  temperatureCelsius: { en: 'Temperature', 'zh-CN': '温度' },
  batteryPercent: { en: 'Battery', 'zh-CN': '电量' },
  networkLatencyMs: { en: 'Latency to the broker', 'zh-CN': '到消息服务器的延迟' },
  networkLossPercent: { en: 'Packet loss to the broker', 'zh-CN': '到消息服务器的丢包率' },
  signalDbm: { en: 'Wireless signal', 'zh-CN': '无线信号强度' },
  receivedKilobytesPerSecond: { en: 'Received', 'zh-CN': '接收速率' },
  sentKilobytesPerSecond: { en: 'Sent', 'zh-CN': '发送速率' },
  processRestarts: { en: 'Process restarts', 'zh-CN': '进程重启次数' },
  clockOffsetMs: { en: 'Clock offset from the server', 'zh-CN': '与服务器的时钟偏差' },
};

/** What follows a value; the same in all languages. */
const unitSuffixes: Readonly<Record<MetricUnit, string>> = {
  percent: '%',
  celsius: ' °C',
  milliseconds: ' ms',
  decibelMilliwatts: ' dBm',
  kilobytesPerSecond: ' kB/s',
  count: '',
  load: '',
};

/** A value of a metric with its unit. */
export function metricValueText(metric: MetricName, value: number, language: Language): string {
  const { unit, decimals } = metricDefinitions[metric];
  const rounded = Number(value.toFixed(decimals));
  return `${new Intl.NumberFormat(language).format(rounded)}${unitSuffixes[unit]}`;
}
