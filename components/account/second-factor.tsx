"use client";

import { useState } from "react";
import { SecondFactorSettings, type SecondFactorSettingsProps } from "@/components/account/second-factor-settings";
import { SetUpSecondFactor, type SetUpSecondFactorProps } from "@/components/account/set-up-second-factor";

interface SecondFactorProps extends SecondFactorSettingsProps, Omit<SetUpSecondFactorProps, "onOffered" | "onCancel"> {
  isOn: boolean;
}

/**
 * A person's second factor: the way to one, or what can be done with it. It is on before its recovery codes were kept, and
 * whatever else is changed on the page draws it anew: they stay all the same.
 */
export function SecondFactor({ isOn, offer, doneHref, ...settings }: SecondFactorProps) {
  const [isSettingUp, setSettingUp] = useState(false);
  if (isOn && !isSettingUp) return <SecondFactorSettings {...settings} />;
  return (
    <SetUpSecondFactor
      doneHref={doneHref}
      enable={settings.enable}
      offer={offer}
      onCancel={() => setSettingUp(false)}
      onOffered={() => setSettingUp(true)}
      withdraw={settings.withdraw}
    />
  );
}
