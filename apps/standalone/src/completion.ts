import { flags, valued } from './command-arguments.ts';
import { commandUses } from './commands.ts';

/** What the shell reads to complete `tickrate`: `source <(npm run --silent tickrate -- completion bash)`. */
export function completionScript(shell: string): string | null {
  if (shell === 'bash') return bash();
  if (shell === 'zsh') return `${zshBridge}${bash()}`;
  return null;
}

// The bridge hands over to compdef, which is there once a shell has set up its completion.
const zshBridge = `(( $+functions[compdef] )) || { autoload -U +X compinit && compinit; }
autoload -U +X bashcompinit && bashcompinit
`;

function bash(): string {
  const firsts = [...new Set(commandUses.map(({ words }) => words.split(' ', 1)[0] ?? ''))];
  const seconds = firsts.flatMap((first) => {
    const verbs = commandUses.flatMap(({ words }) =>
      words.startsWith(`${first} `) ? [words.slice(first.length + 1)] : [],
    );
    return verbs.length === 0 ? [] : [`    ${first}) words="${verbs.join(' ')}" ;;`];
  });
  const options = [...flags, ...valued, 'help'].map((name) => `--${name}`).toSorted();
  return `_tickrate() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [[ "$COMP_CWORD" == 1 ]]; then words="${firsts.join(' ')}"; fi
  if [[ "$COMP_CWORD" == 2 ]]; then case "$previous" in
${seconds.join('\n')}
    completion) words="bash zsh" ;;
  esac; fi
  case "$previous" in
    --format) words="JSON JSONEachRow CSV Parquet Arrow" ;;
    --kind) if [[ "\${COMP_WORDS[1]}" == quarantine ]]; then words="rejected dead"; else words="public administrative"; fi ;;
    --language) words="ts cs" ;;
    --per) words="hour day week month" ;;
  esac
  if [[ "$current" == -* ]]; then words="${options.join(' ')}"; fi
  if [[ -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _tickrate tickrate
`;
}
