/** Variables that bash computes, and those that nearly every caller sets. */
const dynamic = new Set(
  (
    'RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS EPOCHREALTIME BASHPID BASH_COMMAND BASH_SUBSHELL BASH_ARGV0 ' +
    'BASH_SOURCE BASH_LINENO BASH_ARGC BASH_ARGV FUNCNAME PIPESTATUS GROUPS DIRSTACK HISTCMD _ COMP_WORDBREAKS ' +
    'BASH_ALIASES BASH_CMDS BASHOPTS BASH_VERSINFO EUID PPID SHELLOPTS UID'
  ).split(' '),
);

/** True for variables that bash computes: assignments to them have no lasting effect. */
export function isDynamic(name: string): boolean {
  return dynamic.has(name);
}

const environmental =
  /^(?:HOME|USER|LOGNAME|PATH|PWD|OLDPWD|SHELL|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|TERM|LANG|LANGUAGE|LC_\w+|TMPDIR|TMP|TEMP|MAIL|EDITOR|DISPLAY|TZ|SSH_\w+|SUDO_\w+|XDG_\w+|INVOCATION_ID|JOURNAL_STREAM|NOTIFY_SOCKET|LISTEN_\w+|BASH|BASH_VERSION|BASH_ENV|BIN|CMD_HOME|CONF|LINES|COLUMNS|OPTIND|OPTARG|OPTERR|PS4|ENV|CDPATH|GLOBIGNORE|BASH_EXECUTION_STRING|BASH_LOADABLES_PATH|prog|lockfile|pidfile)$/;

/** True for names that nearly every caller or the launcher sets: their values are unknown, not empty. */
export function isEnvironmental(name: string): boolean {
  return environmental.test(name);
}
