import { describe, expect, test } from 'vitest';
import { kinds } from '../../../../src/node/kinds/index.js';
import { Follower } from '../../../../src/node/sources/script/follow.js';
import { setByTool } from '../../../../src/node/sources/shell/tool-output.js';
import { LineIndex } from '../../../../src/node/sources/text/line-index.js';
import { Placed } from '../../../../src/node/sources/text/placed.js';
import { Steps } from '../../../../src/node/sources/text/steps.js';

describe('the output of a tool for eval sets variables of its own', () => {
  test.each([
    ['eval "$(ssh-agent -s)"', 'SSH_AUTH_SOCK'],
    ['eval `dircolors -b ~/.dircolors`', 'LS_COLORS'],
    ['eval "$(/opt/homebrew/bin/brew shellenv)"', 'HOMEBREW_PREFIX'],
    ['eval "$(nodenv init - bash)"', 'NODENV_SHELL'],
    ['eval "$(pyenv init --path 2>/dev/null)"', 'PYENV_SHELL'],
    ['eval "$(direnv hook bash)"', 'PROMPT_COMMAND'],
    ['eval $(minikube docker-env)', 'DOCKER_HOST'],
  ])('%s', (command, name) => {
    expect(setByTool(command)).toContain(name);
  });

  test.each([
    'eval "$(mise activate bash)"',
    'eval "$(direnv export bash)"',
    'eval "$(op signin)"',
    'eval "$(aws configure export-credentials --format env)"',
    'eval "$(ssh-agent -s; op signin)"',
    'eval "$(ssh-agent -s)$(op signin)"',
    'eval "$(ssh-agent $ARGS)"',
    'eval "$(brew bundle)"',
    'eval "$(ssh-agent -s)" "$MORE"',
  ])('not known: %s', (command) => {
    expect(setByTool(command)).toBeNull();
  });

  test('the variables of the script stay as they are', () => {
    const follower = new Follower({ kinds, steps: new Steps() });
    const text = 'API=eth\neval "$(ssh-agent -s)"\ngeth --http.api=$API\n';
    follower.follow(Placed.at(new LineIndex('run.sh', text)), new Map());
    expect(follower.starts[0]?.words?.map((word) => word.text)).toEqual(['--http.api=eth']);
  });
});
