import type { Driver } from '../driver.ts';
import { mailedCode } from '../mail.ts';
import type { Scenario, Stage } from '../stage.ts';

const mostSteps = 12;

/** A player who plays with several processes. */
class Player {
  readonly #stage: Stage;
  readonly #email: string;
  readonly #password = 'a long phrase of a ranger';
  readonly #readMails = new Set<string>();
  /** Null until the first sign-in. */
  account: string | null = null;

  constructor(stage: Stage, name: string) {
    this.#stage = stage;
    this.#email = `${name}-${stage.run}@example.com`;
  }

  /** Answers every prompt until the sign-in is complete. `isClumsy` sends a wrong code first. */
  async signIn(driver: Driver, { isClumsy = false } = {}): Promise<void> {
    let isWrong = isClumsy;
    let step = await driver.ask({ do: 'signIn', input: this.#first() });
    for (let count = 0; typeof step['account'] !== 'string'; count++) {
      if (count === mostSteps) throw new Error(`the sign-in failed: ${JSON.stringify(step)}`);
      if (typeof step['prompt'] !== 'string') throw new Error(`the sign-in ended: ${JSON.stringify(step)}`);
      const prompt = step['prompt'];
      const wasWrong = isWrong;
      const isCode = prompt === 'emailVerification' || prompt === 'mailedCode';
      if (isCode) isWrong = false;
      step = await driver.ask({ do: 'answer', input: await this.#answerTo(prompt, wasWrong) });
      if (isCode && wasWrong && !step['error']) throw new Error('a wrong code was accepted');
    }
    this.account = String(step['account']);
    this.#stage.players.add(this.account);
  }

  /** The server does not say whether an address has an account: the game asks to register. */
  #first(): object {
    return this.account === null ? { email: this.#email, register: true } : { email: this.#email };
  }

  async #answerTo(prompt: string, isWrong: boolean): Promise<object> {
    switch (prompt) {
      case 'registration':
        return { register: true };
      case 'identifier':
        return { email: this.#email };
      case 'password':
      case 'passwordUnset':
        return { password: this.#password };
      case 'emailVerification':
      case 'mailedCode':
        if (isWrong) return { code: 'not-the-code' };
        return { code: await mailedCode(this.#stage.product, this.#email, this.#readMails) };
      default:
        throw new Error(`unexpected prompt ${prompt}`);
    }
  }
}

/** Sign-in and changes of the player. The judge compares the account of each event. */
export const playerScenarios: readonly Scenario[] = [
  {
    name: 'a player registers, with a wrong code first',
    async play(stage) {
      const ada = new Player(stage, 'ada');
      const driver = await stage.open();
      await stage.trackAs('device', driver, 20);
      await ada.signIn(driver, { isClumsy: true });
      await stage.trackAs(ada.account, driver, 20);
      await driver.ask({ do: 'signOut' });
      await stage.trackAs('device', driver, 20);
      await stage.finish(driver);
    },
  },
  {
    name: 'players change while answers are lost, and the process is killed',
    async play(stage) {
      const [ada, bo] = [new Player(stage, 'ada'), new Player(stage, 'bo')];
      const driver = await stage.open();
      await ada.signIn(driver);
      stage.decideEvents(() => stage.random.pick(['loseAnswer', 'cutAnswer', 'refuse']));
      await stage.trackAs(ada.account, driver, 40 * stage.size);
      await bo.signIn(driver);
      await stage.trackAs(bo.account, driver, 40 * stage.size);
      await driver.ask({ do: 'signOut' });
      await stage.trackAs('device', driver, 40 * stage.size);
      await stage.kill(driver);
      stage.proxy.decide(() => 'pass');
      // Events of a player wait until that player is back.
      const later = await stage.open();
      await bo.signIn(later);
      await ada.signIn(later);
      await stage.trackAs(ada.account, later, 20);
      await stage.finish(later);
    },
  },
];
