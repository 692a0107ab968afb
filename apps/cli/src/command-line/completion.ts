import type { Command } from './define-command.ts';
import { optionName } from './options.ts';
import { commonOptions } from './parse-command-line.ts';

/** The completion script of a shell: `source <(npm run --silent tickrate -- completion bash)`. */
export function completionScript(shell: 'bash' | 'zsh', commands: readonly Command[]): string {
  return shell === 'bash' ? bash(commands) : `${zshBridge}${bash(commands)}`;
}

// bashcompinit requires compdef, which exists after compinit.
const zshBridge = `(( $+functions[compdef] )) || { autoload -U +X compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
`;

function bash(commands: readonly Command[]): string {
  const firsts = [...new Set(commands.map(({ words }) => words.split(' ', 1)[0] ?? ''))];
  return `_tickrate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" options=""
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${commands.map(optionCase).join('\n')}
  esac
  if [[ "$COMP_CWORD" == 1 ]]; then words="${firsts.join(' ')}"; fi
  if [[ "$COMP_CWORD" == 2 ]]; then case "$previous" in
${firsts.flatMap((first) => verbCase(first, commands)).join('\n')}
    completion) words="bash zsh" ;;
  esac; fi
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]} $previous" in
${commands.flatMap(choiceCases).join('\n')}
  esac
  if [[ "$current" == -* ]]; then words="$options"; fi
  if [[ -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _tickrate tickrate
`;
}

/** A command of one word may be followed by anything. */
function patternOf({ words }: Command): string {
  return words.includes(' ') ? `"${words}"` : `"${words} "*`;
}

function optionCase(command: Command): string {
  const names = Object.keys({ ...command.options, ...commonOptions }).map((key) => `--${optionName(key)}`);
  return `    ${patternOf(command)}) options="${names.toSorted().join(' ')}" ;;`;
}

function verbCase(first: string, commands: readonly Command[]): string[] {
  const verbs = commands.flatMap(({ words }) =>
    words.startsWith(`${first} `) ? [words.slice(first.length + 1)] : [],
  );
  return verbs.length === 0 ? [] : [`    ${first}) words="${verbs.join(' ')}" ;;`];
}

function choiceCases(command: Command): string[] {
  return Object.entries(command.options).flatMap(([key, { choices }]) =>
    choices.length === 0
      ? []
      : [`    ${patternOf(command)}" --${optionName(key)}") words="${choices.join(' ')}" ;;`],
  );
}
