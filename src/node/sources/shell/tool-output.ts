/** What tools print for `eval`: code that sets variables of their own, and nothing of a project. */

/**
 * The variables that the output of a command sets; PATH is set by most. `direnv hook` and `starship init` define what an
 * interactive shell runs before its prompt. Tools that load a project's variables (`mise activate`, `direnv export`,
 * `op`, `vault`, `aws`) are not listed: their output is not known.
 */
const printedFor: readonly (readonly [command: string, sets: string])[] = [
  ['ssh-agent', 'SSH_AUTH_SOCK SSH_AGENT_PID'],
  ['gpg-agent', 'GPG_AGENT_INFO SSH_AUTH_SOCK SSH_AGENT_PID'],
  ['keychain', 'SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO'],
  ['dbus-launch', 'DBUS_SESSION_BUS_ADDRESS DBUS_SESSION_BUS_PID'],
  ['dircolors', 'LS_COLORS'],
  ['lesspipe', 'LESSOPEN LESSCLOSE'],
  ['brew shellenv', 'HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY MANPATH INFOPATH FPATH'],
  ['pyenv init', 'PYENV_SHELL PYENV_ROOT'],
  ['pyenv virtualenv-init', 'PYENV_VIRTUALENV_INIT PROMPT_COMMAND'],
  ['rbenv init', 'RBENV_SHELL'],
  ['nodenv init', 'NODENV_SHELL'],
  ['goenv init', 'GOENV_SHELL GOENV_ROOT GOPATH GOROOT'],
  ['jenv init', 'JENV_SHELL JENV_LOADED JAVA_HOME PROMPT_COMMAND'],
  ['opam env', 'OPAM_SWITCH_PREFIX OPAMNOENVNOTICE CAML_LD_LIBRARY_PATH OCAML_TOPLEVEL_PATH MANPATH'],
  ['fnm env', 'FNM_DIR FNM_MULTISHELL_PATH FNM_LOGLEVEL FNM_ARCH FNM_NODE_DIST_MIRROR'],
  ['conda shell.bash hook', 'CONDA_EXE CONDA_PYTHON_EXE CONDA_SHLVL'],
  ['starship init', 'STARSHIP_SHELL STARSHIP_SESSION_KEY PROMPT_COMMAND PS1 PS2'],
  ['zoxide init', 'PROMPT_COMMAND'],
  ['direnv hook', 'PROMPT_COMMAND'],
  ['minikube docker-env', 'DOCKER_TLS_VERIFY DOCKER_HOST DOCKER_CERT_PATH MINIKUBE_ACTIVE_DOCKERD'],
  ['docker-machine env', 'DOCKER_TLS_VERIFY DOCKER_HOST DOCKER_CERT_PATH DOCKER_MACHINE_NAME'],
];

/** One substitution of one command, without another expansion in it. */
const substitution =
  /^eval\s+(["']?)(?:\$\(|`)\s*((?:[\w.~/-]+\/)?)([\w.-]+(?:[ \t]+[\w.=:/~-]+)*)(?:[ \t]*2>\s*\/dev\/null)?\s*[)`]\1$/;

/** The variables that this `eval` sets; null if it is not known. */
export function setByTool(command: string): readonly string[] | null {
  const words = `${substitution.exec(command.trim())?.[3] ?? ''} `;
  const found = printedFor.find(([name]) => words.startsWith(`${name} `));
  return found === undefined ? null : ['PATH', ...found[1].split(' ')];
}
