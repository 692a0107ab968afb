#pragma once
#include "client.hpp"
#include "explainer.hpp"
