/**
 * What people call the commands of the catalog, in English and Chinese. The first command of a word is offered first.
 * Documents of the installation are found by their own words.
 */
const commandWords: Readonly<Record<string, string>> = {
  'restart/device':
    'restart, reboot, restart device, reboot device, power cycle, reset power, restart machine, 重启, 重启设备, 重新启动, 重启机器, 重启终端',
  'restart/service':
    'restart service, restart app, restart application, bounce service, 重启服务, 重启应用',
  'restart/agent': 'restart agent, reconnect agent, 重启代理, 重启 agent, 重启客户端',
  'storage/clean':
    'clean disk, clean up disk, clean storage, clean up storage, clean up, cleanup, free space, free up space, free disk space, free up disk space, clear disk, clear cache, clear space, delete temporary files, disk cleanup, 清理磁盘, 磁盘清理, 清理空间, 清理存储, 清理缓存, 释放空间, 释放磁盘空间, 清理',
  'storage/usage':
    'disk usage, disk space, storage usage, free disk, show disk, df, 磁盘使用, 磁盘用量, 磁盘空间, 存储使用, 存储空间, 查看磁盘',
  'process/top':
    'top, processes, process list, list processes, cpu usage, high cpu, memory usage, high memory, task manager, 进程, 进程列表, 查看进程, cpu 占用, 内存占用, 任务管理器',
  'process/kill':
    'kill, kill process, end process, stop process, terminate process, end task, 结束进程, 终止进程, 杀进程',
  'service/status': 'service status, check service, failed services, 服务状态, 检查服务, 查看服务',
  'logs/tail':
    'logs, show logs, view logs, tail logs, log file, system log, read logs, syslog, 日志, 查看日志, 系统日志',
  'logs/collect':
    'collect logs, download logs, gather logs, export logs, get logs, 收集日志, 下载日志, 导出日志, 打包日志',
  'network/ping': 'ping, packet loss, latency, 丢包, 延迟, 丢包率',
  'network/dns':
    'dns, nslookup, dig, resolve name, name resolution, dns lookup, 域名解析, 解析域名',
  'network/diagnose':
    'diagnose, diagnose network, network, check network, network check, test network, network test, connection test, network problem, troubleshoot network, 网络诊断, 诊断网络, 检查网络, 网络检查, 网络测试, 测试网络, 诊断',
  locate: 'locate, where is, find location, get location, gps, 定位, 在哪里, 查找位置',
  'config/show':
    'show config, show configuration, view config, view configuration, agent config, 查看配置, 显示配置',
  'config/set':
    'set config, set configuration, change config, change configuration, configure, 修改配置, 设置配置, 更改配置',
  'software/install':
    'install, install software, update software, upgrade, update firmware, upgrade firmware, install update, 安装, 安装软件, 升级, 更新软件, 更新固件, 升级固件',
  'software/rollback':
    'roll back, rollback, downgrade, undo update, previous version, 回滚, 回退, 回退版本, 恢复旧版本',
  'software/inventory':
    'inventory, software inventory, installed software, list software, list packages, 软件清单, 已安装软件, 软件列表',
  'factory-reset':
    'factory reset, reset to factory, wipe, wipe device, erase device, reset device, 恢复出厂设置, 恢复出厂, 出厂重置, 擦除设备',
  shell: 'shell, run script, script, run command, execute script, 脚本, 执行脚本, 运行脚本',
};

/** Each word or phrase with its command. */
export const commandPhrases: readonly (readonly [string, string])[] = Object.entries(
  commandWords,
).flatMap(([command, words]) => [
  [command, command] as const,
  ...words.split(', ').map((phrase) => [phrase, command] as const),
]);
