import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/call.ts';
import { Stat } from '../../components/stat.tsx';
import { useFormats } from '../../layout/use-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { overviewTexts } from './overview-texts.ts';

interface FiguresProps {
  readonly overview: AnswerOf<'GET /v1/overview'>;
  readonly hours: number;
}

/** How fast, by whom, what was refused, and how late. */
export function Figures({ overview, hours }: FiguresProps): ReactNode {
  const texts = useTexts(overviewTexts);
  const formats = useFormats();
  const { activity, signIns, rejections, delivery, usage } = overview;
  const attempts = signIns.completed + signIns.refused;
  const last = texts.lastHours(formats.number(hours));
  return (
    <div className="grid grid-cols-2 gap-3 *:last:col-span-2 md:grid-cols-3 xl:grid-cols-5 xl:*:last:col-span-1">
      <Stat
        name={texts.perMinute}
        value={formats.rate(delivery.eventsPerSecond * 60)}
        detail={texts.perMinuteDetail(formats.compact(usage.today))}
      />
      <Stat
        name={texts.players}
        value={activity === null ? '–' : formats.number(activity.players)}
        detail={activity === null ? last : texts.playersDetail(formats.number(activity.sessions), last)}
      />
      <Stat
        name={texts.signIns}
        value={formats.number(signIns.completed)}
        detail={
          attempts === 0
            ? last
            : texts.signInsDetail(
                formats.number(signIns.refused),
                formats.percent(signIns.refused / attempts),
                last,
              )
        }
      />
      <Stat
        name={texts.rejected}
        value={formats.percent(rejections.share)}
        isBad={rejections.events > 0}
        detail={
          rejections.events === 0 ? last : texts.rejectedDetail(formats.number(rejections.events), last)
        }
      />
      <Stat
        name={texts.lag}
        value={delivery.p99Seconds === null ? '–' : formats.duration(delivery.p99Seconds)}
        detail={
          delivery.meanSeconds === null
            ? texts.lagNone
            : texts.lagDetail(formats.duration(delivery.meanSeconds))
        }
      />
    </div>
  );
}
