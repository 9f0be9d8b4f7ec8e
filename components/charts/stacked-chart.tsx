import { ChartFrame, type ChartProps } from "@/components/charts/chart-frame";
import { StackedSketch } from "@/components/charts/chart-sketch";
import { LaterDrawing } from "@/components/charts/later-drawing";

/** Of what a whole is made over time: bars in layers, such as tokens by endpoint. */
export function StackedChart(props: ChartProps) {
  const { label: _, ...drawn } = props;
  return (
    <ChartFrame {...props}>
      <LaterDrawing {...drawn} kind="stacked">
        <StackedSketch {...drawn} />
      </LaterDrawing>
    </ChartFrame>
  );
}
